import { type DocumentNode, type ExecutionArgs } from 'graphql';
import { FairShare } from '../../../platform/admission/fair-share.js';
import { type Listeners } from '../../../platform/admission/listeners.js';
import { type RequestContext } from '../../../platform/context.js';
import { AppError } from '../../../platform/errors.js';
import { MAX_BODY_BYTES } from '../../../platform/http/inbound/inbound-body.js';
import { isDeeper } from '../../../platform/json/json-depth.js';
import { jsonSize } from '../../../platform/json/json-size.js';
import { MAX_JSON_LEVELS } from '../../../platform/graphql/scalars.js';

/** What the documents and variables of all subscriptions of a process hold, in bytes of memory. */
const SPACE = 134_217_728;
/** A list of empty objects takes so many times its text once it is parsed; most JSON takes less. */
const PARSED_WEIGHT = 20;
/** A token of a parsed document, with the node and the places that it comes with. */
const TOKEN_BYTES = 512;

/** A document that an account subscribes with: its first subscription takes the space, its last one gives it back. */
interface HeldDocument {
  users: number;
  readonly giveBack: () => void;
}

/** What subscriptions hold as long as they last, shared by account; and what `subscribe` messages hold that wait. */
export class SubscriptionSpace {
  private readonly space = new FairShare(SPACE);
  private readonly documents = new WeakMap<DocumentNode, Map<string, HeldDocument>>();

  constructor(private readonly listeners: Listeners) {}

  /** How many bytes are held now. */
  get inUse(): number {
    return this.space.inUse;
  }

  /** Space for parsed JSON of a client. @returns the function that gives it back. @throws AppError `rate_limited`. */
  holdJson(accountId: string, value: unknown): () => void {
    const size = isDeeper(value, MAX_JSON_LEVELS) ? MAX_BODY_BYTES : jsonSize(value);
    return this.take(accountId, PARSED_WEIGHT * size);
  }

  /** A place and space for a subscription. @returns the function that gives both back. @throws AppError `rate_limited`. */
  begin({ document, variableValues, contextValue }: ExecutionArgs): () => void {
    const { accountId } = contextValue as RequestContext;
    const held = [this.listeners.take(accountId)];
    const giveBack = (): void => held.splice(0).forEach((release) => release());
    try {
      held.push(this.holdJson(accountId, variableValues));
      held.push(this.holdDocument(accountId, document));
    } catch (error) {
      giveBack();
      throw error;
    }
    return giveBack;
  }

  /** Space for a document, which all subscriptions of an account share. */
  holdDocument(accountId: string, document: DocumentNode): () => void {
    const byAccount = this.documents.get(document) ?? new Map<string, HeldDocument>();
    this.documents.set(document, byAccount);
    const held = byAccount.get(accountId) ?? { users: 0, giveBack: this.take(accountId, bytesOf(document)) };
    held.users += 1;
    byAccount.set(accountId, held);
    return () => {
      held.users -= 1;
      if (held.users > 0) return;
      byAccount.delete(accountId);
      held.giveBack();
    };
  }

  private take(accountId: string, bytes: number): () => void {
    const giveBack = this.space.tryTake(accountId, bytes);
    if (giveBack !== undefined) return giveBack;
    const advice = 'Use one document for all, with variables, and smaller variables';
    const message = `The subscriptions of the account hold too much memory. ${advice}.`;
    throw new AppError('rate_limited', message, { retryAfter: 1 });
  }
}

function bytesOf({ tokenCount = 1, loc }: DocumentNode): number {
  return tokenCount * TOKEN_BYTES + (loc?.source.body.length ?? 0);
}
