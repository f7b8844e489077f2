import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { type FlowStartedFragment } from '../connect.generated.js';
import { isConnected } from './flow-end.js';
import { openPopup, tieToBrowser } from './popup.js';
import { useFlowEnd } from './use-flow-end.js';

/** The state of a flow. `sees` is the window as seen from this page: `closed` may also mean that it lost track of it. */
export type FlowState =
  | { is: 'idle' }
  | { is: 'starting' }
  | { is: 'waiting'; flow: FlowStartedFragment; address: string; sees: 'open' | 'closed' | 'blocked'; until: Date }
  | { is: 'ended'; reason: string };

/** The subject of a flow: at least the application whose window opens. */
export interface FlowSubject {
  app: { name: string };
}

/** A flow and what a person can do with it; `begin` and `openAgain` must be called by a click. */
export interface OAuthFlow<Subject extends FlowSubject> {
  state: FlowState;
  begin: (subject: Subject) => void;
  openAgain: () => void;
  /** Brings the window to the front. */
  show: () => void;
  /** Closes the window and forgets the flow on this page; the service accepts its callback until it expires. */
  leave: () => void;
}

/** The options of `useOAuthFlow`; `start` requests a flow and returns undefined after a refusal. */
export interface OAuthFlowOptions<Subject extends FlowSubject> {
  start: (subject: Subject) => Promise<FlowStartedFragment | undefined>;
  onConnected: (subject: Subject) => void;
}

const LIFE_MS = 600_000;
const LOOK_MS = 400;

/** One OAuth flow at a time: its window, and how it ends. */
export function useOAuthFlow<Subject extends FlowSubject>({
  start,
  onConnected,
}: OAuthFlowOptions<Subject>): OAuthFlow<Subject> {
  const [state, setState] = useState<FlowState>({ is: 'idle' });
  const popup = useRef<Window | null>(null);
  const attempt = useRef(0);
  const about = useRef<Subject>(undefined);
  const close = (): void => {
    popup.current?.close();
    popup.current = null;
  };
  const begin = async (subject: Subject): Promise<void> => {
    close();
    about.current = subject;
    const mine = (attempt.current += 1);
    const opened = (popup.current = openPopup(subject.app.name));
    const before = state;
    setState({ is: 'starting' });
    const flow = await start(subject);
    const tied = flow !== undefined && (await tieToBrowser(flow.connectUrl));
    // The flow was canceled, or the page was left, during the request.
    if (attempt.current !== mine) return opened?.close();
    if (flow === undefined) {
      close();
      return setState(before.is === 'ended' && !isConnected(before.reason) ? before : { is: 'idle' });
    }
    const address = tied ? flow.redirectUrl : flow.connectUrl;
    opened?.location.replace(address);
    const sees = opened === null ? 'blocked' : 'open';
    setState({ is: 'waiting', flow, address, sees, until: new Date(Date.now() + LIFE_MS) });
  };
  const leave = (): void => {
    attempt.current += 1;
    close();
    setState({ is: 'idle' });
  };
  useFlowEnd(state.is === 'waiting' ? state.flow : undefined, (reason) => {
    close();
    setState({ is: 'ended', reason });
    if (isConnected(reason)) onConnected(about.current!);
  });
  useWindowWatch(state.is === 'waiting', () => {
    const sees = popup.current === null ? 'blocked' : popup.current.closed ? 'closed' : 'open';
    setState((now) => (now.is !== 'waiting' || now.sees === sees ? now : { ...now, sees }));
  });
  useEffect(() => () => void (attempt.current += 1), []);
  return {
    state,
    begin: (subject) => void begin(subject),
    openAgain: () => {
      if (state.is !== 'waiting') return;
      close();
      popup.current = openPopup(about.current!.app.name);
      popup.current?.location.replace(state.address);
    },
    show: () => popup.current?.focus(),
    leave,
  };
}

/** No event reports that a window of another origin was closed, so its state is polled. */
function useWindowWatch(active: boolean, look: () => void): void {
  const onTick = useEffectEvent(look);
  useEffect(() => {
    if (!active) return;
    const timer = setInterval(onTick, LOOK_MS);
    return () => clearInterval(timer);
  }, [active]);
}
