/** `/desk`: an invitation, the sign-in, or the desk of whoever is signed in. */
import { QueryClient, QueryClientProvider, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useLayoutEffect, useState } from "react";
import type { Signed } from "../../desk/contract.ts";
import { fetchSigned, isSignedOut, signOut } from "../../desk/desk-api.ts";
import { ROLE_NAMES } from "../../desk/desk-words.ts";
import { clearToken, tokenIn } from "../../desk/invitation-token.ts";
import type { LineParts } from "../../desk/officer-line.ts";
import { refusalWords } from "../../desk/refusal-words.ts";
import { Button } from "../../ui/Button.tsx";
import { DeskFrame } from "../DeskFrame.tsx";
import { Accounts } from "./Accounts.tsx";
import { AuditTrail } from "./AuditTrail.tsx";
import { PAGE, PLAIN } from "./desk-style.ts";
import { Invitation } from "./Invitation.tsx";
import { SignIn } from "./SignIn.tsx";
import { Workplace } from "./Workplace.tsx";

const ME = ["me"];

export function DeskPage({ parts }: { parts?: LineParts }) {
  const [client] = useState(
    () => new QueryClient({ defaultOptions: { queries: { refetchOnWindowFocus: false } } }),
  );
  return (
    <QueryClientProvider client={client}>
      <Desk {...(parts && { parts })} />
    </QueryClientProvider>
  );
}

function Desk({ parts }: { parts?: LineParts }) {
  const client = useQueryClient();
  const [token, settle] = useInvitationToken();
  const [signInName, setSignInName] = useState("");
  const [notice, setNotice] = useState<string | null>(null);
  const {
    data: signed,
    error,
    refetch,
  } = useQuery({
    queryKey: ME,
    queryFn: fetchSigned,
    retry: false,
    enabled: token === null,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const signedOut = useCallback(
    (words: string | null) => {
      setNotice(words);
      // Nothing of what was read stays in this page.
      client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== "me" });
      void client.resetQueries({ queryKey: ME });
    },
    [client],
  );

  if (token !== null) {
    return (
      <DeskFrame>
        <div className={PAGE}>
          <Invitation
            key={token}
            token={token}
            onDone={(name) => {
              setSignInName(name);
              setNotice("Your account is set up. Sign in with the next code that the app shows.");
              settle();
            }}
          />
        </div>
      </DeskFrame>
    );
  }
  if (error && isSignedOut(error)) {
    return (
      <DeskFrame>
        <div className={PAGE}>
          <SignIn
            signInName={signInName}
            notice={notice}
            onSignedIn={(told) => {
              setNotice(codesLeft(told));
              client.setQueryData(ME, told);
            }}
          />
        </div>
      </DeskFrame>
    );
  }
  if (error) {
    return (
      <DeskFrame>
        <div className={`${PAGE} py-16`}>
          <h1 className="font-serif text-section font-medium">Duty desk</h1>
          <p role="alert" className="mt-4 max-w-[60ch] text-lg">
            {refusalWords(error)}
          </p>
          <button type="button" className={`${PLAIN} mt-6`} onClick={() => void refetch()}>
            Try again
          </button>
        </div>
      </DeskFrame>
    );
  }
  if (!signed) {
    return (
      <DeskFrame>
        <p role="status" className="py-16 text-center text-quiet">
          Opening the desk
        </p>
      </DeskFrame>
    );
  }
  return (
    <SignedIn
      signed={signed}
      notice={notice}
      onNoticeRead={() => setNotice(null)}
      onSignedOut={signedOut}
      {...(parts && { parts })}
    />
  );
}

interface SignedInProps {
  signed: Signed;
  notice: string | null;
  onNoticeRead: () => void;
  onSignedOut: (words: string | null) => void;
  parts?: LineParts;
}

const PLACES = [
  { at: "", name: "Desk", act: "see-queue" },
  { at: "#accounts", name: "Accounts", act: "manage-accounts" },
  { at: "#audit-trail", name: "Audit trail", act: "read-audit" },
] as const;

function SignedIn({ signed, notice, onNoticeRead, onSignedOut, parts }: SignedInProps) {
  const { account, may } = signed;
  const [held, setHeld] = useState(false);
  /** The session is over, but nobody is torn from a caller for that. */
  const [over, setOver] = useState(false);
  const [trouble, setTrouble] = useState<string | null>(null);
  const fragment = useFragment();
  const places = PLACES.filter(({ act }) => (may[act] ?? "never") !== "never");
  const place = places.find(({ at }) => at === fragment) ?? places[0];

  const sessionOver = useCallback(() => setOver(true), []);
  useEffect(() => {
    if (over && !held) onSignedOut("You have been signed out. Sign in again.");
  }, [over, held, onSignedOut]);

  const leave = async () => {
    try {
      await signOut();
      onSignedOut("You are signed out.");
    } catch (error) {
      if (isSignedOut(error)) onSignedOut(null);
      else setTrouble(refusalWords(error));
    }
  };

  return (
    <DeskFrame
      places={
        places.length > 1 && (
          <nav aria-label="Desk" className="flex flex-wrap gap-x-6">
            {places.map(({ at, name }) => (
              <a
                key={name}
                href={at || "#desk"}
                aria-current={place?.at === at ? "page" : undefined}
                className="quiet-link no-underline aria-[current=page]:underline"
              >
                {name}
              </a>
            ))}
          </nav>
        )
      }
      account={
        <div className="flex flex-wrap items-center gap-x-4">
          <p className="text-sm">
            <span className="font-semibold">{account.name}</span>{" "}
            <span className="text-quiet">{ROLE_NAMES[account.role]}</span>
          </p>
          <Button
            unavailable={held}
            title={held ? "You are on a call" : undefined}
            className="quiet-link text-sm"
            onClick={() => void leave()}
          >
            Sign out
          </Button>
        </div>
      }
    >
      {(over || notice || trouble) && (
        <div className={`${PAGE} pt-4`}>
          <div
            role="status"
            className="flex flex-wrap items-center justify-between gap-3 rounded-control bg-raised px-4 py-2"
          >
            <p>
              {over
                ? "Your session has ended. This call goes on; sign in again after it."
                : (trouble ?? notice)}
            </p>
            {!over && (
              <button
                type="button"
                className={PLAIN}
                onClick={() => {
                  setTrouble(null);
                  onNoticeRead();
                }}
              >
                Put away
              </button>
            )}
          </div>
        </div>
      )}
      {/* It stays while other places are looked at: a desk that rings is not closed by reading a list. */}
      {places.some(({ act }) => act === "see-queue") && (
        <div hidden={place?.act !== "see-queue"}>
          <Workplace signed={signed} onSignedOut={sessionOver} onLine={setHeld} {...(parts && { parts })} />
        </div>
      )}
      {place?.act === "manage-accounts" && <Accounts />}
      {place?.act === "read-audit" && <AuditTrail />}
      {!place && <p className={`${PAGE} py-16`}>Your role has nothing to do here yet.</p>}
    </DeskFrame>
  );
}

const FEW_CODES = 3;

function codesLeft({ recoveryCodes }: Signed): string | null {
  if (recoveryCodes === undefined || recoveryCodes > FEW_CODES) return null;
  const left =
    recoveryCodes === 0
      ? "You have no recovery codes left."
      : `You have ${recoveryCodes} recovery ${recoveryCodes === 1 ? "code" : "codes"} left.`;
  return `${left} An administrator can invite you again for new ones.`;
}

/** The invitation in the address, taken out of it at once; and what forgets it. */
function useInvitationToken(): [string | null, () => void] {
  const [token, setToken] = useState(() => tokenIn(window.location.hash));
  useLayoutEffect(() => {
    const look = () => {
      const found = tokenIn(window.location.hash);
      if (!found) return;
      clearToken();
      setToken(found);
    };
    look();
    window.addEventListener("hashchange", look);
    return () => window.removeEventListener("hashchange", look);
  }, []);
  return [token, () => setToken(null)];
}

const FRAGMENTS: ReadonlySet<string> = new Set(["", "#desk", ...PLACES.map(({ at }) => at)]);

function useFragment(): string {
  const [fragment, setFragment] = useState(() => window.location.hash);
  useEffect(() => {
    // Any other, such as the skip link's, leads to no other place.
    const look = () => FRAGMENTS.has(window.location.hash) && setFragment(window.location.hash);
    window.addEventListener("hashchange", look);
    return () => window.removeEventListener("hashchange", look);
  }, []);
  return fragment === "#desk" ? "" : fragment;
}
