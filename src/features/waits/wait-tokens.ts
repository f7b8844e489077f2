import { createHmac, timingSafeEqual } from 'node:crypto';
import { type KeptSecrets } from '../../platform/kept-secrets.js';
import { type WaitPurpose } from '../actions/wait-request.js';
import { type Wait } from './wait.entity.js';

/** The wait of an action in a run. It may not exist yet. */
export interface WaitPlace {
  runUuid: string;
  /** The index of the action. */
  index: number;
  /** For the link of an approver: its number, from 1. 0: the URL belongs to no person. */
  approver: number;
}

const PATHS: Readonly<Record<WaitPurpose, string>> = {
  callback: '/callbacks',
  approval: '/approvals',
  connection: '/connect/waits',
};

const RUN_BYTES = 16;
const PLACE_BYTES = RUN_BYTES + 3;
/** 128 bits: a guess is checked here, at a cost, and nowhere else. */
const MAC_BYTES = 16;
const TOKEN = /^[A-Za-z0-9_-]{47}$/;

/**
 * The URLs of waits. A token holds the place of its wait, authenticated by HMAC-SHA-256 (RFC 2104), so that it exists from
 * the start of a run without a row, and a made-up one is refused without a query. It is the secret of its URL.
 */
export class WaitTokens {
  constructor(
    private readonly secrets: KeptSecrets,
    private readonly baseUrl: string,
  ) {}

  /** The URL of a wait. */
  url(
    purpose: WaitPurpose,
    { runUuid, index, approver = 0 }: Omit<WaitPlace, 'approver'> & { approver?: number },
  ): string {
    const place = Buffer.alloc(PLACE_BYTES);
    place.write(runUuid.replaceAll('-', ''), 'hex');
    place.writeUInt16BE(index, RUN_BYTES);
    place.writeUInt8(approver, RUN_BYTES + 2);
    const token = Buffer.concat([place, mac(this.secrets[0], purpose, place)]).toString('base64url');
    return `${this.baseUrl}${PATHS[purpose]}/${token}`;
  }

  /** The place that a token was made for; undefined if it was not made here for that purpose. */
  placeOf(purpose: WaitPurpose, token: string): WaitPlace | undefined {
    if (!TOKEN.test(token)) return undefined;
    const bytes = Buffer.from(token, 'base64url');
    // Another spelling of the same bytes is another token.
    if (bytes.toString('base64url') !== token) return undefined;
    const [place, given] = [bytes.subarray(0, PLACE_BYTES), bytes.subarray(PLACE_BYTES)];
    if (!this.secrets.some((secret) => timingSafeEqual(mac(secret, purpose, place), given))) return undefined;
    const hex = place.toString('hex', 0, RUN_BYTES);
    return {
      runUuid: hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
      index: place.readUInt16BE(RUN_BYTES),
      approver: place.readUInt8(RUN_BYTES + 2),
    };
  }
}

function mac(secret: Buffer, purpose: WaitPurpose, place: Buffer): Buffer {
  return createHmac('sha256', secret).update(`${purpose}:`).update(place).digest().subarray(0, MAC_BYTES);
}

/** The URLs of a wait: the page of a pending connection, or where an approval or a callback is answered. */
export function wayOf(
  tokens: WaitTokens,
  { kind, status, runUuid, stepIndex: index }: Pick<Wait, 'kind' | 'status' | 'runUuid' | 'stepIndex'>,
): { url: string | null; connectUrl: string | null } {
  const url = kind === 'approval' || kind === 'callback' ? tokens.url(kind, { runUuid, index }) : null;
  const connects = kind === 'connection' && status === 'pending';
  return { url, connectUrl: connects ? tokens.url('connection', { runUuid, index }) : null };
}
