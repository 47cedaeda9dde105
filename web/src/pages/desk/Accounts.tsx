/** The desk's accounts, for administrators: who has one, inviting, changing, closing. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { DeskAccount, Invited } from "../../desk/contract.ts";
import { changeAccount, closeAccount, fetchAccounts, invite, inviteAgain } from "../../desk/desk-api.ts";
import { ACCOUNT_STATES, LANGUAGES, listed, ROLE_NAMES } from "../../desk/desk-words.ts";
import { invitationLink } from "../../desk/invitation-token.ts";
import { refusalWords } from "../../desk/refusal-words.ts";
import { formatDate } from "../../records/format.ts";
import { AccountForm } from "./AccountForm.tsx";
import { Confirmed } from "./Confirmed.tsx";
import { FIELD, PAGE, PLAIN, STRONG } from "./desk-style.ts";
import { Trouble } from "./Trouble.tsx";

type Open = { what: "invite" } | { what: "change"; account: DeskAccount } | null;

export function Accounts() {
  const client = useQueryClient();
  const { data, error } = useQuery({ queryKey: ["accounts"], queryFn: fetchAccounts, retry: false });
  const [open, setOpen] = useState<Open>(null);
  const [invited, setInvited] = useState<Invited | null>(null);
  const again = () => void client.invalidateQueries({ queryKey: ["accounts"] });
  const asked = (told: Invited) => {
    setInvited(told);
    setOpen(null);
    again();
  };
  const inviting = useMutation({ mutationFn: invite, onSuccess: asked });
  const invitingAgain = useMutation({ mutationFn: inviteAgain, onSuccess: asked });
  const closing = useMutation({ mutationFn: closeAccount, onSuccess: again });
  const changing = useMutation({
    mutationFn: (to: DeskAccount) => {
      const { id, name, role, agencies, languages } = to;
      return changeAccount(id, { name, role, agencies, languages });
    },
    onSuccess: () => {
      setOpen(null);
      again();
    },
  });
  const show = (next: Open) => {
    inviting.reset();
    changing.reset();
    setInvited(null);
    setOpen(next);
  };
  const words = (refusal: Error | null) => (refusal ? refusalWords(refusal) : null);

  return (
    <div className={`${PAGE} grid gap-6 py-6`}>
      <title>Accounts – Duty desk</title>
      <div className="flex flex-wrap items-center justify-between gap-4">
        <h1 className="font-serif text-section font-medium">Accounts</h1>
        {open?.what !== "invite" && (
          <button type="button" className={STRONG} onClick={() => show({ what: "invite" })}>
            Invite somebody
          </button>
        )}
      </div>
      <Trouble words={words(error ?? closing.error ?? invitingAgain.error)} className="empty:hidden" />
      {invited && <InvitationMade invited={invited} onDone={() => setInvited(null)} />}
      {open?.what === "invite" && (
        <AccountForm
          title="Invite somebody"
          submit="Make the invitation"
          busy={inviting.isPending}
          trouble={words(inviting.error)}
          onSubmit={(account) => inviting.mutate(account)}
          onCancel={() => show(null)}
        />
      )}
      {open?.what === "change" && (
        <AccountForm
          key={open.account.id}
          title={`Change the account of ${open.account.name}`}
          account={open.account}
          submit="Save"
          busy={changing.isPending}
          trouble={words(changing.error)}
          onSubmit={(account) => changing.mutate({ ...open.account, ...account })}
          onCancel={() => show(null)}
        />
      )}
      {!data && !error && (
        <p role="status" className="text-quiet">
          Reading the accounts
        </p>
      )}
      {data && (
        <section
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
          tabIndex={0}
          aria-label="Accounts"
          className="relative overflow-x-auto"
        >
          <table className="w-full min-w-[60rem] text-left">
            <thead>
              <tr className="border-b-2 border-line-strong text-sm text-quiet">
                {["Name", "Role", "Agencies", "Languages", "State"].map((title) => (
                  <th key={title} scope="col" className="py-2.5 pr-4 font-semibold">
                    {title}
                  </th>
                ))}
                <th scope="col">
                  <span className="sr-only">What can be done</span>
                </th>
              </tr>
            </thead>
            <tbody className="divide-y divide-line">
              {data.accounts.map((account) => (
                <tr key={account.id} className="align-top">
                  <th scope="row" className="py-3 pr-4 font-semibold">
                    {account.name}
                    <span className="block text-sm font-normal text-quiet">{account.signInName}</span>
                  </th>
                  <td className="py-3 pr-4">{ROLE_NAMES[account.role]}</td>
                  <td className="py-3 pr-4">{listed(account.agencies) || "None"}</td>
                  <td className="py-3 pr-4">
                    {listed(account.languages.map((code) => LANGUAGES[code] ?? code)) || "None"}
                  </td>
                  <td className="py-3 pr-4">{ACCOUNT_STATES[account.state]}</td>
                  <td className="py-2">
                    {account.state !== "closed" && (
                      <div className="flex flex-wrap justify-end gap-2">
                        <button
                          type="button"
                          className={PLAIN}
                          aria-label={`Change ${account.name}`}
                          onClick={() => show({ what: "change", account })}
                        >
                          Change
                        </button>
                        <Confirmed
                          label="Invite again"
                          question={`Invite ${account.name} again? What they sign in with now stops working when they accept.`}
                          yes="Invite again"
                          no="Leave it"
                          className={PLAIN}
                          onYes={() => invitingAgain.mutate(account.id)}
                        />
                        <Confirmed
                          label="Close account"
                          question={`Close the account of ${account.name}? It cannot be opened again.`}
                          yes="Close it"
                          no="Leave it"
                          onYes={() => closing.mutate(account.id)}
                        />
                      </div>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </div>
  );
}

/** The link, which is told this once. */
function InvitationMade({
  invited: { account, token, until },
  onDone,
}: {
  invited: Invited;
  onDone: () => void;
}) {
  const [told, setTold] = useState("");
  const link = invitationLink(token);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(link);
      setTold("Copied.");
    } catch {
      setTold("It could not be copied here: select it.");
    }
  };
  return (
    <section
      aria-labelledby="invitation-made"
      className="grid max-w-2xl gap-3 rounded-panel border border-lamp-ink/40 bg-raised p-5 sm:p-8"
    >
      <h2 id="invitation-made" className="text-title font-bold">
        An invitation for {account.name}
      </h2>
      <p>
        Give this link to {account.name} yourself. It is shown this once, works once, and is good until{" "}
        {formatDate(until)}.
      </p>
      <input
        readOnly
        aria-label="Invitation link"
        value={link}
        onFocus={(event) => event.target.select()}
        className={FIELD}
      />
      <div className="flex flex-wrap items-center gap-3">
        <button type="button" className={STRONG} onClick={copy}>
          Copy the link
        </button>
        <button type="button" className={PLAIN} onClick={onDone}>
          I have handed it over
        </button>
        <p role="status" className="text-sm text-quiet">
          {told}
        </p>
      </div>
    </section>
  );
}
