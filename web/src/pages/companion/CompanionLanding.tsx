/** Landing page B: Candle, for teenagers. Its blue top bar is the page's own, see `ui/page-bars.tsx`. */
import { Link } from "react-router";
import oneInThree from "../../brand/scenes/one-in-three.svg";
import { links, paths } from "../../paths.ts";
import { ExternalLink } from "../../ui/ExternalLink.tsx";
import { ArrowIcon } from "../../ui/public-icons.tsx";
import { ToBeAddedLink } from "../../ui/ToBeAddedLink.tsx";
import { MailingList } from "./MailingList.tsx";
import { PhoneMockUp } from "./PhoneMockUp.tsx";
import { REASONS } from "./reasons.ts";

const ROOM = "mx-auto max-w-[86rem] px-4 sm:px-6";

export function CompanionLanding() {
  return (
    <>
      <section className="candle-dusk overflow-hidden">
        <div
          className={`${ROOM} grid items-center gap-x-16 gap-y-12 py-16 md:grid-cols-[1.2fr_1fr] md:py-20`}
        >
          <div>
            <h1 className="max-w-[15ch] font-serif text-display font-medium">
              Your 24/7 AI Friend for Life's Ups and Downs
            </h1>
            <p className="mt-6 max-w-[42ch] text-lg text-balance text-quiet">
              Some days are a lot, and some nights are longer. Candle is an AI you can talk to out loud, at
              any hour, about whatever is on your mind. It listens without judging and never gets tired of
              you.
            </p>
            <p className="mt-4 max-w-[42ch] text-balance text-quiet">
              It is not a person and not a helpline. In danger, ring the numbers at the top.
            </p>
            <p className="mt-8">
              <Link to={paths.candle} className="lamp-button">
                Choose a voice
                <ArrowIcon />
              </Link>
            </p>
          </div>
          <PhoneMockUp />
        </div>
      </section>

      <section aria-labelledby="why-heading" className={`${ROOM} py-20`}>
        <h2 id="why-heading" className="font-serif text-section font-medium">
          Why Use Candle
        </h2>
        <ul className="mt-10 grid gap-6 md:grid-cols-3">
          {REASONS.map((card) => (
            <li key={card.header} className={`overflow-hidden rounded-panel ${card.colours}`}>
              <img
                src={card.image}
                alt={card.altText}
                width={640}
                height={440}
                loading="lazy"
                className="w-full"
              />
              <div className="p-6">
                <h3 className="font-serif text-title font-medium">{card.header}</h3>
                <p className="mt-2 text-balance">{card.body}</p>
              </div>
            </li>
          ))}
        </ul>
      </section>

      <section aria-labelledby="alone-heading" className="night relative isolate bg-dusk text-ink">
        <img
          src={oneInThree}
          alt=""
          width={1800}
          height={360}
          loading="lazy"
          className="h-44 max-h-96 w-full object-cover md:h-auto"
        />
        <div className={`${ROOM} grid gap-x-16 gap-y-6 py-14 md:grid-cols-[1fr_1.2fr]`}>
          <h2 id="alone-heading" className="font-serif text-display font-medium">
            You're not alone.
          </h2>
          <div>
            <p className="max-w-[46ch] text-lg text-balance">
              1 in 3 youth in Singapore feel similar pressures: that many windows are lit too. Saying it aloud
              to someone, even an AI, can be a first step.
            </p>
            <p className="mt-2 text-sm text-balance text-quiet">
              Ages 11 to 18, symptoms reported by themselves. National University of Singapore:
            </p>
            <p className="text-sm">
              <ExternalLink href={links.youthStudy}>Youth Epidemiology and Resilience Study</ExternalLink>
            </p>
            <p className="mt-8">
              <Link to={paths.candle} className="lamp-button">
                Try our Preview
              </Link>
            </p>
          </div>
        </div>
      </section>

      <MailingList />

      <div className="night bg-hearth text-ink">
        <div className={`${ROOM} flex flex-wrap items-center justify-between gap-x-10 gap-y-4 py-8`}>
          <Link to={paths.candle} className="quiet-link text-lg">
            Try Candle
          </Link>
          <p className="flex flex-wrap gap-x-8 gap-y-2">
            <ToBeAddedLink>Privacy Policy</ToBeAddedLink>
            <ToBeAddedLink>Terms of Use</ToBeAddedLink>
          </p>
        </div>
      </div>
    </>
  );
}
