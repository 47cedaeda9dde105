/** A picture of the app on a phone, drawn with the page's own type. Nothing in it can be pressed. */
import { PersonaLamp } from "../candle/PersonaLamp.tsx";
import { PERSONAS } from "../candle/personas.ts";

const DESCRIPTION = `Candle on a phone: a login button, and two large buttons to start voice conversations with ${PERSONAS.map(({ name }) => name).join(" and ")}.`;

export function PhoneMockUp() {
  return (
    <figure className="justify-self-center">
      <div role="img" aria-label={DESCRIPTION} className="phone">
        <div aria-hidden="true" className="phone-screen">
          <div className="flex items-center justify-between">
            <span className="font-serif text-lg font-semibold">Candle</span>
            <span className="rounded-full bg-companion px-4 py-1.5 text-sm font-bold text-white">Login</span>
          </div>
          <p className="mt-6 font-serif text-title">Who would you like to talk to?</p>
          {PERSONAS.map(({ name }) => (
            <div key={name} className="phone-button">
              <PersonaLamp name={name} className="size-24" />
              <span className="font-bold">Talk to {name}</span>
            </div>
          ))}
        </div>
      </div>
      <figcaption className="mt-7 pr-8 text-center text-sm text-quiet">A picture of the app</figcaption>
    </figure>
  );
}
