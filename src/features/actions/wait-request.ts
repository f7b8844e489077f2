/** What a run waits for. The word is the kind of the wait in the API. */
export type WaitPurpose = 'callback' | 'approval' | 'connection';

/** What a step waits for, from its rendered config. */
export type WaitRequest = { seconds: number } & (
  | { kind: 'callback' }
  | ({ kind: 'approval' } & ApprovalRequest)
  | {
      kind: 'connection';
      type: string;
      reference: string;
      /** The step is executed again once the connection is there. Otherwise it succeeds with its id. */
      repeats: boolean;
    }
);

/** What people are asked to approve, and what follows. */
export interface ApprovalRequest {
  title: string;
  text: string | null;
  /** The addresses that receive a link of their own. */
  approvers: readonly string[];
  onDenied: 'fail' | 'continue';
  onTimeout: 'fail' | 'deny';
}
