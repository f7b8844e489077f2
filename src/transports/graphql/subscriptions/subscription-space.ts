import { type DocumentNode, type ExecutionArgs } from 'graphql';
import { FairShare } from '../../../platform/admission/fair-share.js';
import { type Listeners } from '../../../platform/admission/listeners.js';
import { type RequestContext } from '../../../platform/context.js';
import { AppError } from '../../../platform/errors.js';
import { MAX_BODY_BYTES } from '../../../platform/http/inbound/inbound-body.js';
import { isDeeper } from '../../../platform/json/json-depth.js';
import { jsonSize } from '../../../platform/json/json-size.js';
import { MAX_JSON_LEVELS } from '../../../platform/graphql/scalars.js';
import { textLengthOf } from '../documents/places.js';

/** Memory for the documents and variables of all subscriptions of a process, in bytes. */
const SPACE = 134_217_728;
/** Parsed JSON takes up to this many times its text (a list of empty objects); most JSON takes less. */
const PARSED_WEIGHT = 20;
/** Memory of one token of a parsed document, with its node and locations, in bytes. */
const TOKEN_BYTES = 512;
/** Memory of one character of a text that has any outside of Latin-1, in bytes. */
const CHARACTER_BYTES = 2;

/** A document in use by an account: its first subscription takes the space, its last one frees it. */
interface HeldDocument {
  users: number;
  readonly giveBack: () => void;
}

/** Memory that subscriptions, and waiting `subscribe` messages, hold; limited by account. */
export class SubscriptionSpace {
  private readonly space = new FairShare(SPACE);
  private readonly documents = new WeakMap<DocumentNode, Map<string, HeldDocument>>();

  constructor(private readonly listeners: Listeners) {}

  /** Bytes held now. */
  get inUse(): number {
    return this.space.inUse;
  }

  /**
   * Reserves space for parsed JSON of a client. @returns the function that frees it. @throws AppError `rate_limited`.
   */
  holdJson(accountId: string, value: unknown): () => void {
    const size = isDeeper(value, MAX_JSON_LEVELS) ? MAX_BODY_BYTES : jsonSize(value);
    return this.take(accountId, PARSED_WEIGHT * size);
  }

  /**
   * Reserves a subscription's place and space. @returns the function that frees both. @throws AppError `rate_limited`.
   */
  async begin({ document, variableValues, contextValue }: ExecutionArgs): Promise<() => void> {
    const { accountId } = contextValue as RequestContext;
    const held = [await this.listeners.take(accountId)];
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

  /** Reserves space for a document; all subscriptions of an account share it. */
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

function bytesOf(document: DocumentNode): number {
  return (document.tokenCount ?? 1) * TOKEN_BYTES + textLengthOf(document) * CHARACTER_BYTES;
}
