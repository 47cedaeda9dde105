/** Who made this, how to reach them, and where to say what one thinks of it. */
import { Link } from "react-router";
import { useSiteLinks } from "../../api/use-site-links.ts";
import { paths } from "../../paths.ts";
import { ExternalLink } from "../../ui/ExternalLink.tsx";
import { ExternalIcon } from "../../ui/public-icons.tsx";
import { CREATORS } from "./creators.ts";

export function CreatorFooter() {
  const { feedback } = useSiteLinks();
  return (
    <section aria-labelledby="creators-heading" className="border-t border-line">
      <div className="mx-auto grid max-w-[86rem] gap-x-16 gap-y-10 px-4 py-16 sm:px-6 md:grid-cols-[1fr_1.2fr]">
        <div>
          <h2 id="creators-heading" className="font-serif text-title font-medium">
            Made by two creators
          </h2>
          <p className="mt-2 max-w-[40ch] text-balance text-quiet">
            <Link to={paths.demo} className="font-semibold text-link underline underline-offset-4">
              Try the demo
            </Link>{" "}
            and tell us what you think of it.
          </p>
          <p className="mt-6">
            <a href={feedback} target="_blank" rel="noopener noreferrer" className="outline-button">
              Provide Feedback Here
              <ExternalIcon className="size-4" />
              <span className="sr-only">(opens in a new tab)</span>
            </a>
          </p>
          <p className="mt-2 text-sm text-quiet">Please be nice, this feedback is recorded</p>
        </div>
        <ul className="grid grid-cols-[repeat(auto-fit,minmax(15rem,1fr))] gap-x-10 gap-y-6">
          {CREATORS.map(({ name, profile, email }) => (
            <li key={name}>
              <h3 className="font-bold">{name}</h3>
              <p>
                <ExternalLink href={profile}>Professional profile</ExternalLink>
              </p>
              <p>
                <a
                  href={`mailto:${email}`}
                  className="inline-flex min-h-11 items-center font-semibold text-link underline underline-offset-4"
                >
                  {email}
                </a>
              </p>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}
