/** `/desk`: an invitation, the sign-in, or the desk of whoever is signed in. */
import { QueryClient, QueryClientProvider, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useLayoutEffect, useMemo, useState } from "react";
import { Refusal } from "../../api/client.ts";
import { backFromProvider, clearProvider } from "../../desk/back-from-provider.ts";
import type { Signed } from "../../desk/contract.ts";
import { addressOf, type DeskAddress, type PlaceId, placesOf } from "../../desk/desk-address.ts";
import { fetchSigned, isSignedOut, signOut } from "../../desk/desk-api.ts";
import { ROLE_NAMES } from "../../desk/desk-words.ts";
import { clearToken, tokenIn } from "../../desk/invitation-token.ts";
import type { LineParts } from "../../desk/officer-line.ts";
import { refusalWords } from "../../desk/refusal-words.ts";
import { UnsavedContext, UnsavedWords } from "../../desk/unsaved-words.ts";
import { Button } from "../../ui/Button.tsx";
import { DeskFrame } from "../DeskFrame.tsx";
import { Accounts } from "./Accounts.tsx";
import { AuditTrail } from "./AuditTrail.tsx";
import { CasesPlace } from "./cases/CasesPlace.tsx";
import { PAGE, PLAIN } from "./desk-style.ts";
import { Invitation } from "./Invitation.tsx";
import { PlaceLinks } from "./PlaceLinks.tsx";
import { RecordsKept } from "./RecordsKept.tsx";
import { MorningReport } from "./report/MorningReport.tsx";
import { Shifts } from "./Shifts.tsx";
import { SignIn } from "./SignIn.tsx";
import { Workplace } from "./Workplace.tsx";

const ME = ["me"];

export function DeskPage({ parts }: { parts?: LineParts }) {
  const [client] = useState(
    () => new QueryClient({ defaultOptions: { queries: { refetchOnWindowFocus: false, retry } } }),
  );
  return (
    <QueryClientProvider client={client}>
      <Desk {...(parts && { parts })} />
    </QueryClientProvider>
  );
}

const TRIES = 3;

/** What the server has refused it refuses again. */
function retry(failed: number, error: Error): boolean {
  return failed < TRIES && !(error instanceof Refusal && error.status < 500);
}

function Desk({ parts }: { parts?: LineParts }) {
  const client = useQueryClient();
  const [token, settle] = useInvitationToken();
  const [signInName, setSignInName] = useState("");
  const [notice, setNotice] = useState<string | null>(() => backFromProvider(window.location.search));
  useEffect(() => {
    if (backFromProvider(window.location.search) !== null) clearProvider();
  }, []);
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

function SignedIn({ signed, notice, onNoticeRead, onSignedOut, parts }: SignedInProps) {
  const { account, may } = signed;
  const [held, setHeld] = useState(false);
  /** The session is over, but nobody is torn from a caller for that. */
  const [over, setOver] = useState(false);
  const [trouble, setTrouble] = useState<string | null>(null);
  const [unsaved] = useState(() => new UnsavedWords());
  const [leaving, setLeaving] = useState(false);
  const [moved, lastOfCases] = useAddress();
  const places = placesOf(may);
  const isThere = places.some(({ id }) => id === moved.place);
  // An address that this role has nothing at leads to its first place.
  const address = useMemo(
    () => (isThere ? moved : { place: placesOf(may)[0]?.id ?? moved.place, caseId: null }),
    [isThere, moved, may],
  );
  const place = places.find(({ id }) => id === address.place);
  const has = (id: PlaceId) => places.some((each) => each.id === id);
  const [casesOpened, setCasesOpened] = useState(false);
  useEffect(() => {
    if (address.place === "cases") setCasesOpened(true);
  }, [address]);

  const sessionOver = useCallback(() => setOver(true), []);
  useEffect(() => {
    // What was typed can still be copied; nobody else sees it.
    if (over && !held && !unsaved.any()) onSignedOut(SIGNED_OUT);
  }, [over, held, unsaved, onSignedOut]);
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => unsaved.any() && event.preventDefault();
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [unsaved]);

  const leave = async (surely: boolean) => {
    if (unsaved.any() && !surely) return setLeaving(true);
    setLeaving(false);
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
        places.length > 1 && <PlaceLinks places={places} here={address.place} lastOfCases={lastOfCases} />
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
            onClick={() => void leave(false)}
          >
            Sign out
          </Button>
        </div>
      }
    >
      {(over || leaving || notice || trouble) && (
        <div className={`${PAGE} pt-4 print:hidden`}>
          <div
            role="status"
            className="flex flex-wrap items-center justify-between gap-3 rounded-control bg-raised px-4 py-2"
          >
            <p>
              {over ? (held ? OVER_ON_A_CALL : OVER_WHILE_TYPING) : leaving ? UNSAVED : (trouble ?? notice)}
            </p>
            <div className="flex flex-wrap gap-3">
              {over && !held && (
                <button type="button" className={PLAIN} onClick={() => onSignedOut(SIGNED_OUT)}>
                  Sign in again
                </button>
              )}
              {leaving && !over && (
                <button type="button" className={PLAIN} onClick={() => void leave(true)}>
                  Sign out without it
                </button>
              )}
              {!over && (
                <button
                  type="button"
                  className={PLAIN}
                  onClick={() => {
                    setTrouble(null);
                    setLeaving(false);
                    onNoticeRead();
                  }}
                >
                  {leaving ? "Stay" : "Put away"}
                </button>
              )}
            </div>
          </div>
        </div>
      )}
      <UnsavedContext value={unsaved}>
        {/* It stays while other places are looked at: a desk that rings is not closed by reading a list. */}
        {has("desk") && (
          <Workplace
            signed={signed}
            inView={address.place === "desk"}
            onSignedOut={sessionOver}
            onLine={setHeld}
            {...(parts && { parts })}
          />
        )}
        {/* Once opened it stays too, with what is being typed in it. */}
        {has("cases") && casesOpened && <CasesPlace address={address} may={may} />}
        {place?.id === "report" && <MorningReport may={may} />}
        {place?.id === "shifts" && <Shifts may={may} />}
        {place?.id === "records" && <RecordsKept />}
        {place?.id === "accounts" && <Accounts />}
        {place?.id === "audit-trail" && <AuditTrail />}
      </UnsavedContext>
      {!place && <p className={`${PAGE} py-16`}>Your role has nothing to do here yet.</p>}
    </DeskFrame>
  );
}

const SIGNED_OUT = "You have been signed out. Sign in again.";
const OVER_ON_A_CALL = "Your session has ended. This call goes on; sign in again after it.";
const OVER_WHILE_TYPING =
  "Your session has ended. What you typed is still here: copy it, then sign in again.";
const UNSAVED = "What you typed in a case is not saved.";

const FEW_CODES = 3;

function codesLeft({ recoveryCodes }: Signed): string | null {
  if (recoveryCodes == null || recoveryCodes > FEW_CODES) return null;
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

/** Where one is, anew at each move; and where one was last among the cases. */
function useAddress(): [DeskAddress, string] {
  const [address, setAddress] = useState<DeskAddress>(
    () => addressOf(window.location.hash) ?? { place: "desk", caseId: null },
  );
  const [lastOfCases, setLast] = useState("#cases");
  useEffect(() => {
    const look = () => {
      // Any other, such as the skip link's, leads to no other place.
      const found = addressOf(window.location.hash);
      if (found) setAddress(found);
    };
    window.addEventListener("hashchange", look);
    return () => window.removeEventListener("hashchange", look);
  }, []);
  useEffect(() => {
    if (address.place === "cases") setLast(window.location.hash);
  }, [address]);
  return [address, lastOfCases];
}
