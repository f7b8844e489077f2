import { type Socket } from 'node:net';
import { cpuUsage } from 'node:process';
import { Duplex } from 'node:stream';
import { RECEIVED_PER_SECOND } from '../../../admission/byte-rates.js';
import { OutboundError } from '../outbound-error.js';
import { type Wire } from './wire-limit.js';

/**
 * The bytes of a server until its TLS handshake ends; nearly all are its certificates, of which most servers send 3 to
 * 6 kB. OpenSSL compares each name with each name constraint (RFC 5280, 4.2.1.10), even in untrusted chains:
 * 93 kB take six seconds of the event loop, 16 kB a fifth of a second.
 */
export const MAX_HANDSHAKE_BYTES = 16_384;
/** A step of a handshake takes one to three milliseconds; one that takes longer than these is charged. */
export const LONG_STEP_MS = 50;
/** An account waits this many times as long as its long steps have taken, so that they are as small a part of the event loop. */
const CHARGE = 300;
/** Beyond this many payers those who may go on are forgotten. */
const SWEEP_SIZE = 1_000;

/** The handshakes under way, by who pays for them. */
const underWay = new Map<string, Set<MeasuredStream>>();
/** Until when the handshakes of a payer end at their first bytes, in milliseconds of `performance.now()`. */
const barredUntil = new Map<string, number>();

/**
 * A TCP connection for TLS, whose bytes are counted until the handshake ends. What TLS computes for a server is measured: a
 * handshake with a long step is charged to its account, and the account's other handshakes end with it, because they may
 * be as long: those under way, and those of calls that were admitted before.
 */
export class MeasuredStream extends Duplex {
  /** Why the connection was closed here. */
  fault: OutboundError | undefined;
  private received = 0;
  private isShaking = true;
  /** The server has ended its side. */
  private hasAll = false;

  constructor(
    private readonly raw: Socket,
    private readonly host: string,
    private readonly wire: Wire | undefined,
    private readonly cpuMs: () => number = cpuOfThread,
  ) {
    super();
    own(this.payer).add(this);
    raw.on('data', (bytes: Buffer) => this.receive(bytes));
    raw.once('end', () => {
      this.hasAll = true;
      this.push(null);
    });
    // Once everything has come, what is buffered is still to be read, although the connection is closed.
    raw.once('close', () => this.hasAll || this.destroy());
    raw.on('error', (error) => this.hasAll || this.destroy(error));
  }

  /** The handshake has ended. */
  shaken(): void {
    this.isShaking = false;
    leave(this.payer, this);
  }

  override _read(): void {
    this.raw.resume();
  }

  override _write(bytes: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    if (this.isGone) done();
    else this.raw.write(bytes, done);
  }

  override _writev(chunks: { chunk: unknown; encoding: BufferEncoding }[], done: (error?: Error | null) => void): void {
    this._write(Buffer.concat(chunks.map(({ chunk }) => chunk as Buffer)), 'buffer' as BufferEncoding, done);
  }

  override _final(done: (error?: Error | null) => void): void {
    if (this.isGone) done();
    else this.raw.end(done);
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.shaken();
    this.raw.destroy();
    done(error);
  }

  /** Whether the server has gone. TLS still sends its closing alert then, and an error would lose what is buffered. */
  private get isGone(): boolean {
    return this.hasAll && !this.raw.writable;
  }

  private get payer(): string {
    return this.wire?.payer ?? this.host;
  }

  private receive(bytes: Buffer): void {
    if (!this.isShaking) return this.hand(bytes);
    if ((barredUntil.get(this.payer) ?? 0) > performance.now()) return this.refuse(tooLong(this.host));
    this.received += bytes.length;
    if (this.received > MAX_HANDSHAKE_BYTES) {
      return this.refuse(`${this.host} sends more than ${MAX_HANDSHAKE_BYTES} bytes of certificates.`);
    }
    const [began, cpu] = [performance.now(), this.cpuMs()];
    // TLS computes before this returns.
    this.hand(bytes);
    // On a busy machine time passes in which nothing is computed.
    const took = Math.min(performance.now() - began, this.cpuMs() - cpu);
    if (took > LONG_STEP_MS) this.charge(took);
  }

  private hand(bytes: Buffer): void {
    if (!this.push(bytes)) this.raw.pause();
  }

  private charge(took: number): void {
    this.wire?.charge((took * CHARGE * RECEIVED_PER_SECOND) / 1_000);
    bar(this.payer, took * CHARGE);
    for (const one of [...own(this.payer), this]) one.refuse(tooLong(this.host));
  }

  private refuse(message: string): void {
    this.fault = new OutboundError('network', message);
    this.destroy(this.fault);
  }
}

function tooLong(host: string): string {
  return `The certificates of ${host} take too long to be verified.`;
}

function bar(payer: string, milliseconds: number): void {
  const now = performance.now();
  if (barredUntil.size >= SWEEP_SIZE) {
    for (const [other, until] of barredUntil) if (until <= now) barredUntil.delete(other);
  }
  barredUntil.set(payer, now + milliseconds);
}

function own(payer: string): Set<MeasuredStream> {
  const streams = underWay.get(payer) ?? new Set();
  underWay.set(payer, streams);
  return streams;
}

function leave(payer: string, stream: MeasuredStream): void {
  const streams = underWay.get(payer);
  streams?.delete(stream);
  if (streams?.size === 0) underWay.delete(payer);
}

/** The CPU time of this thread in milliseconds; before Node.js 23.9, that of the process. */
function cpuOfThread(): number {
  const { user, system } = 'threadCpuUsage' in process ? process.threadCpuUsage() : cpuUsage();
  return (user + system) / 1_000;
}
