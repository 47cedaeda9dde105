/** An invitation: whose it is, the authenticator app, the password; then the recovery codes, once. */
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { acceptInvitation, fetchInvitation } from "../../desk/desk-api.ts";
import { refusalWords } from "../../desk/refusal-words.ts";
import { formatDate } from "../../records/format.ts";
import { Button } from "../../ui/Button.tsx";
import { STRONG } from "./desk-style.ts";
import { Field } from "./Field.tsx";
import { QrPicture } from "./QrPicture.tsx";
import { RecoveryCodes } from "./RecoveryCodes.tsx";
import { Trouble } from "./Trouble.tsx";

const SHORTEST_PASSWORD = 12;

interface InvitationProps {
  token: string;
  /** It is accepted, and the codes are kept. */
  onDone: (signInName: string) => void;
}

export function Invitation({ token, onDone }: InvitationProps) {
  const { data: invitation, error } = useQuery({
    queryKey: ["invitation", token],
    queryFn: () => fetchInvitation(token),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const [codes, setCodes] = useState<string[] | null>(null);
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<string | null>(null);

  if (error) {
    return (
      <div className="mx-auto max-w-md py-10 sm:py-16">
        <h1 className="font-serif text-section font-medium">This invitation cannot be used</h1>
        <p role="alert" className="mt-4">
          {refusalWords(error)}
        </p>
      </div>
    );
  }
  if (!invitation) {
    return (
      <p role="status" className="py-16 text-center text-quiet">
        Opening your invitation
      </p>
    );
  }
  if (codes) return <RecoveryCodes codes={codes} onDone={() => onDone(invitation.signInName)} />;

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy) return;
    const given = new FormData(event.currentTarget);
    const password = String(given.get("password") ?? "");
    if (password.length < SHORTEST_PASSWORD) {
      setTrouble(`This password is too short: use ${SHORTEST_PASSWORD} characters or more.`);
      return;
    }
    setBusy(true);
    setTrouble(null);
    try {
      const code = String(given.get("code") ?? "").replace(/\s/g, "");
      setCodes((await acceptInvitation(token, password, code)).recoveryCodes);
    } catch (refusal) {
      setTrouble(refusalWords(refusal));
    }
    setBusy(false);
  };

  return (
    <form onSubmit={submit} aria-labelledby="invitation" className="mx-auto grid max-w-xl gap-6 py-10">
      <div>
        <h1 id="invitation" className="font-serif text-section font-medium">
          Welcome to the duty desk, {invitation.name}
        </h1>
        <p className="mt-2 text-quiet">This invitation is good until {formatDate(invitation.until)}.</p>
      </div>
      <section aria-labelledby="app" className="grid gap-3">
        <h2 id="app" className="text-lg font-bold">
          1. Your authenticator app
        </h2>
        <p>Open the app on your phone, add an account, and point its camera here.</p>
        <QrPicture text={invitation.totpAddress} label="QR picture for your authenticator app" />
        <p>
          Without a camera, type this secret into the app:{" "}
          <code className="font-semibold break-all select-all">{inFours(invitation.totpSecret)}</code>
        </p>
      </section>
      <section aria-labelledby="how" className="grid gap-4">
        <h2 id="how" className="text-lg font-bold">
          2. How you sign in
        </h2>
        <Trouble words={trouble} />
        <Field
          label="Sign-in name"
          name="signInName"
          defaultValue={invitation.signInName}
          autoComplete="username"
          readOnly
        />
        <Field
          label="Password"
          hint={`${SHORTEST_PASSWORD} characters or more. A few words in a row are easy to remember.`}
          name="password"
          type="password"
          autoComplete="new-password"
          required
        />
        <Field
          label="Code"
          hint="The six digits that the app shows now."
          name="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          required
        />
        <Button type="submit" unavailable={busy} className={`${STRONG} justify-self-start`}>
          {busy ? "Setting up" : "Set up my account"}
        </Button>
      </section>
    </form>
  );
}

function inFours(secret: string): string {
  return secret.replace(/(.{4})(?=.)/g, "$1 ");
}
