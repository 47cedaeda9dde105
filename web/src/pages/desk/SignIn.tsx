/** Signing in: by the organisation's own provider where there is one, or by name, password, and the app's six digits. */
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useRef, useState } from "react";
import type { Signed } from "../../desk/contract.ts";
import { askWayToProvider, fetchWaysIn, signIn } from "../../desk/desk-api.ts";
import { refusalWords } from "../../desk/refusal-words.ts";
import { Button } from "../../ui/Button.tsx";
import { STRONG } from "./desk-style.ts";
import { Field } from "./Field.tsx";
import { Trouble } from "./Trouble.tsx";

interface SignInProps {
  onSignedIn: (signed: Signed) => void;
  /** Known already, after an invitation. */
  signInName?: string;
  /** What is to be said first. */
  notice?: string | null;
}

export function SignIn({ onSignedIn, signInName = "", notice = null }: SignInProps) {
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<string | null>(null);
  const code = useRef<HTMLInputElement>(null);
  const { data: waysIn } = useQuery({ queryKey: ["ways-in"], queryFn: fetchWaysIn, retry: false });
  const provider = waysIn?.provider ?? null;

  const goToProvider = async () => {
    if (busy) return;
    setBusy(true);
    setTrouble(null);
    try {
      const { location } = await askWayToProvider();
      window.location.assign(location);
    } catch (error) {
      setTrouble(refusalWords(error));
      setBusy(false);
    }
  };

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy) return;
    const given = new FormData(event.currentTarget);
    const text = (name: string) => String(given.get(name) ?? "");
    setBusy(true);
    setTrouble(null);
    try {
      onSignedIn(
        await signIn({
          signInName: text("signInName").trim(),
          password: text("password"),
          code: text("code").replace(/\s/g, ""),
        }),
      );
    } catch (error) {
      setTrouble(refusalWords(error));
      // The six digits have most likely run out meanwhile.
      code.current?.select();
      setBusy(false);
    }
  };

  return (
    <form onSubmit={submit} aria-labelledby="sign-in" className="mx-auto grid max-w-md gap-5 py-10 sm:py-16">
      <h1 id="sign-in" className="font-serif text-section font-medium">
        Sign in to the duty desk
      </h1>
      {notice && <p className="text-quiet">{notice}</p>}
      <Trouble words={trouble} />
      {provider !== null && (
        <>
          <Button
            type="button"
            unavailable={busy}
            className={`${STRONG} justify-self-start`}
            onClick={() => void goToProvider()}
          >
            Sign in with {provider}
          </Button>
          <p className="border-t border-line pt-5 text-quiet">Or with your name, password and code:</p>
        </>
      )}
      <Field
        label="Sign-in name"
        name="signInName"
        defaultValue={signInName}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        required
      />
      <Field label="Password" name="password" type="password" autoComplete="current-password" required />
      <Field
        ref={code}
        label="Code"
        hint="The six digits that your authenticator app shows, or one of your recovery codes."
        name="code"
        autoComplete="one-time-code"
        autoCapitalize="none"
        spellCheck={false}
        required
      />
      <Button type="submit" unavailable={busy} className={`${STRONG} justify-self-start`}>
        {busy ? "Signing in" : "Sign in"}
      </Button>
    </form>
  );
}
