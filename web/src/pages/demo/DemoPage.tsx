/** `/Demo`: talk to the assistant, and read the records of calls. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Suspense, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useSearchParams } from "react-router";
import type { PageConfig } from "../../api/contract.ts";
import { fetchConfig } from "../../api/server.ts";
import { shownNotice, USUALLY_KEPT_DAYS } from "../../call/notice.ts";
import { useVoiceCall } from "../../call/use-voice-call.ts";
import { links } from "../../paths.ts";
import type { CallRecord } from "../../records/call-record.ts";
import { useHistory } from "../../records/use-history.ts";
import { ExternalLink } from "../../ui/ExternalLink.tsx";
import { BROWSER_MICROPHONES, browserParts, type Microphones } from "../../voice/browser-parts.ts";
import { VoiceClient } from "../../voice/voice-client.ts";
import { useWrittenConversation } from "../../written/use-written-conversation.ts";
import { HistorySection } from "./HistorySection.tsx";
import { SpokenCall } from "./SpokenCall.tsx";
import { WrittenTalk } from "./WrittenTalk.tsx";
import { CallLogPanel, fetchWhenIdle } from "./when-asked-for.ts";

/** How long after a call its info is fetched. */
const FETCH_INFO_AFTER_MS = 10_000;
const CONFIG = { queryKey: ["config"], queryFn: fetchConfig, staleTime: 60_000 };

/** The open record is in the address, so that Back closes it and a reload keeps it. */
const OPEN_RECORD = "record";

/** The way of conversing is too, so that other pages can lead to the written one. */
const WAY = "by";

const isHosted = ({ voicePlatform }: PageConfig) => voicePlatform === "hosted";

function targetOf({ squadId, assistantId }: Pick<PageConfig, "squadId" | "assistantId">, notice: string) {
  const assistantOverrides = { variableValues: { agency: "", notice } };
  return { ...(squadId ? { squad: squadId } : { assistant: assistantId }), assistantOverrides };
}

interface DemoPageProps {
  client?: VoiceClient;
  microphones?: Microphones;
}

export function DemoPage({ client: given, microphones = BROWSER_MICROPHONES }: DemoPageProps) {
  const queryClient = useQueryClient();
  const config = useQuery(CONFIG);
  const [params, setParams] = useSearchParams();
  const [removed, setRemoved] = useState<string | null>(null);

  const platform = useCallback(async () => {
    const { publicKey, platformUrl } = await queryClient.ensureQueryData(CONFIG);
    return { baseUrl: platformUrl ?? window.location.origin, publicKey, isHosted: platformUrl != null };
  }, [queryClient]);
  // A written conversation is held here, wherever calls are.
  const writtenPlatform = useCallback(async () => {
    const { publicKey, written } = await queryClient.ensureQueryData(CONFIG);
    return { baseUrl: window.location.origin, publicKey: written?.publicKey ?? publicKey };
  }, [queryClient]);
  const [client] = useState(() => given ?? new VoiceClient(browserParts(platform)));
  const history = useHistory(useCallback(() => void client.doubt(), [client]));

  // The call's listeners keep their identity, and always see the latest history.
  const latest = useRef(history);
  useEffect(() => {
    latest.current = history;
  });
  const listeners = useMemo(
    () => ({
      started: (callId: string) => latest.current.addNewCall(callId),
      ended: (callId: string) => {
        setTimeout(() => void latest.current.refresh(callId), FETCH_INFO_AFTER_MS);
      },
    }),
    [],
  );
  const target = useCallback(async () => {
    const config = await queryClient.ensureQueryData(CONFIG);
    return targetOf(config, shownNotice(config.recordsKeptDays ?? USUALLY_KEPT_DAYS, isHosted(config)));
  }, [queryClient]);
  const writtenTarget = useCallback(async () => {
    const config = await queryClient.ensureQueryData(CONFIG);
    const notice = shownNotice(config.recordsKeptDays ?? USUALLY_KEPT_DAYS);
    return targetOf(config.written ?? config, notice);
  }, [queryClient]);
  const call = useVoiceCall(client, target, listeners);
  const written = useWrittenConversation(writtenPlatform, writtenTarget, listeners);
  const speaking = call.state.status === "active" || call.state.status === "loading";
  const inWriting = written.state.status === "active" || (params.get(WAY) === "writing" && !speaking);
  // The button that was pressed goes with its side; the focus goes on to the other side's.
  const [changedWay, setChangedWay] = useState(false);
  const goTo = (way: "speaking" | "writing") => {
    setParams(
      (current) => {
        if (way === "writing") current.set(WAY, way);
        else current.delete(WAY);
        return current;
      },
      { replace: true, preventScrollReset: true },
    );
    setChangedWay(true);
    if (way === "writing") written.start();
  };

  const name = config.data?.assistantName ?? "Nightlight";
  const keptDays = config.data?.recordsKeptDays ?? USUALLY_KEPT_DAYS;
  const open = history.history.find((record) => record.id === params.get(OPEN_RECORD)) ?? null;
  const [everOpened, setEverOpened] = useState(false);
  if (open && !everOpened) setEverOpened(true);
  useEffect(fetchWhenIdle, []);
  const show = useCallback(
    (id: string | null) =>
      setParams(
        (current) => {
          if (id === null) current.delete(OPEN_RECORD);
          else current.set(OPEN_RECORD, id);
          return current;
        },
        { replace: id === null, preventScrollReset: true },
      ),
    [setParams],
  );
  const openRecord = useCallback((record: CallRecord) => show(record.id), [show]);
  const recordOf = (callId: string | null) =>
    history.history.find((record) => record.callId === callId) ?? null;

  return (
    <div className="mx-auto max-w-[86rem] px-4 pt-4 pb-16 sm:px-6 sm:pt-6">
      <title>Talk to Nightlight – demonstration</title>
      {inWriting ? (
        <WrittenTalk
          name={name}
          keptDays={keptDays}
          conversation={written}
          record={recordOf(written.state.callId)}
          serverDown={config.isError}
          focused={changedWay}
          onTalkInstead={() => goTo("speaking")}
          onOpenNote={openRecord}
        />
      ) : (
        <SpokenCall
          name={name}
          keptDays={keptDays}
          isHosted={config.data !== undefined && isHosted(config.data)}
          client={client}
          call={call}
          record={recordOf(call.state.callId)}
          microphones={microphones}
          voice={config.data?.voice ?? null}
          serverDown={config.isError && call.state.status === "inactive"}
          focused={changedWay}
          onWriteInstead={() => goTo("writing")}
          onOpenNote={openRecord}
        />
      )}

      <HistorySection
        history={history}
        feedback={config.data?.links?.feedback ?? links.feedback}
        reading={open !== null}
        onOpen={openRecord}
      />
      <p role="status" className="sr-only">
        {removed && `Case ${removed} was removed from this view.`}
      </p>

      <p className="mt-10 text-sm text-quiet">
        <span className="mr-1">Built with</span>
        <ExternalLink href={config.data?.links?.platform ?? links.platform}>
          Vapi’s voice platform
        </ExternalLink>
      </p>

      <Suspense fallback={null}>
        {everOpened && (
          <CallLogPanel
            record={open}
            assistantName={name}
            onClose={() => show(null)}
            onDelete={(record) => {
              history.remove(record);
              setRemoved(record.id);
              show(null);
            }}
          />
        )}
      </Suspense>
    </div>
  );
}
