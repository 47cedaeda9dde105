/** Where the caller writes. Enter sends; with Shift it is a new line. */
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { Button } from "../../ui/Button.tsx";
import { MOST_CHARACTERS } from "../../written/chat-api.ts";
import { unsentText, type WrittenState } from "../../written/written-state.ts";

interface MessageFormProps {
  state: WrittenState;
  onSend: (text: string) => void;
}

/** From here on it matters how much room is left. */
const TELL_ROOM_BELOW = 300;

export function MessageForm({ state, onSend }: MessageFormProps) {
  const [text, setText] = useState("");
  const field = useRef<HTMLTextAreaElement>(null);
  const id = useId();
  const unsent = unsentText(state);

  useEffect(() => field.current?.focus(), []);
  // What was not sent goes back into the field, unless something new is being written there.
  useEffect(() => {
    if (unsent) setText((written) => written || unsent);
  }, [unsent]);

  const send = () => {
    if (text.trim() === "" || state.awaited) return;
    onSend(text);
    setText("");
    field.current?.focus();
  };
  const pressed = (event: KeyboardEvent) => {
    // Enter also closes the candidates of an input method; that is not meant to send.
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  const room = MOST_CHARACTERS - text.length;
  return (
    <form
      className="message-form mt-4 grid grid-cols-[1fr_auto] gap-x-3 gap-y-1"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <label htmlFor={id} className="call-folds col-span-2 text-sm font-semibold text-quiet">
        Your message
      </label>
      <textarea
        ref={field}
        id={id}
        rows={2}
        dir="auto"
        enterKeyHint="send"
        autoComplete="off"
        maxLength={MOST_CHARACTERS}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={pressed}
        className="min-h-16 w-full resize-y rounded-control border border-line-strong bg-surface px-4 py-2.5 text-lg"
      />
      <Button
        type="submit"
        unavailable={state.awaited}
        className="min-h-16 rounded-control bg-lamp px-5 font-bold text-on-lamp hover:bg-[#ffd488] aria-disabled:opacity-60"
      >
        {unsent && text === unsent ? "Send again" : "Send"}
      </Button>
      {room < TELL_ROOM_BELOW && (
        <p className="col-span-2 text-sm text-quiet">Room for {room} more characters.</p>
      )}
    </form>
  );
}
