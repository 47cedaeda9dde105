/** "Stay in the loop": the form, and the thanks that take its place. Nothing is sent anywhere. */
import { type FormEvent, useEffect, useRef, useState } from "react";

const FIELD =
  "mt-1 block min-h-12 w-full rounded-control border-2 border-line-strong bg-surface px-3 text-ink";

export function MailingList() {
  const [signedUp, setSignedUp] = useState(false);
  const thanks = useRef<HTMLParagraphElement>(null);

  useEffect(() => {
    if (signedUp) thanks.current?.focus();
  }, [signedUp]);

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { firstName, email } = Object.fromEntries(new FormData(event.currentTarget));
    // biome-ignore lint/suspicious/noConsole: the specification has the values logged, and sent nowhere
    console.log({ firstName, email });
    setSignedUp(true);
  };

  return (
    <section aria-labelledby="loop-heading" className="mx-auto max-w-[86rem] px-4 py-20 sm:px-6">
      <div className="grid gap-x-16 gap-y-6 md:grid-cols-[1fr_1.2fr]">
        <div>
          <h2 id="loop-heading" className="font-serif text-section font-medium">
            Stay in the loop
          </h2>
          <p className="mt-2 max-w-[40ch] text-balance text-quiet">
            Hear when Candle opens. In this preview the form is for show: what you write stays in this browser
            tab and is sent to nobody.
          </p>
        </div>
        {signedUp ? (
          <p
            ref={thanks}
            tabIndex={-1}
            role="status"
            className="self-center text-lg font-semibold outline-none"
          >
            Thank you for joining our mailing list.
          </p>
        ) : (
          <form
            onSubmit={submit}
            className="grid items-end gap-4 sm:max-md:grid-cols-[1fr_1.4fr_auto] lg:grid-cols-[1fr_1.4fr_auto]"
          >
            <label className="font-semibold">
              First name
              <input name="firstName" type="text" required autoComplete="given-name" className={FIELD} />
            </label>
            <label className="font-semibold">
              Email
              <input name="email" type="email" required autoComplete="email" className={FIELD} />
            </label>
            <button type="submit" className="lamp-button justify-center">
              Sign up
            </button>
          </form>
        )}
      </div>
    </section>
  );
}
