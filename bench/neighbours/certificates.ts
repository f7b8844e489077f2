import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

/** A chain of certificates and the key of the first one, as PEM. */
export interface Chain {
  cert: string;
  key: string;
  /** The certificate of the last authority, which signs itself. */
  root: string;
  /** The bytes of all certificates. */
  bytes: number;
}

/** What makes a chain costly to verify (RFC 5280, 4.2.1.6 and 4.2.1.10). */
export interface ChainSize {
  /** Names of the server, besides `localhost`. */
  names?: number;
  /** Excluded names of each authority between the server and the root. */
  constraints?: number;
  authorities?: number;
}

const ECDSA_SHA256 = sequence(Buffer.from('06082a8648ce3d040302', 'hex'));
const SAN = '0603551d11';
const CONSTRAINTS = '0603551d1e';
const IS_AUTHORITY = extension('0603551d13', sequence(tlv(0x01, Buffer.of(0xff))));

/** A chain for `localhost` that begins now, in DER written by hand: no library here writes certificates. */
export function chainOf({ names = 0, constraints = 0, authorities = 1 }: ChainSize = {}): Chain {
  const keys = Array.from({ length: authorities + 1 }, () => generateKeyPairSync('ec', { namedCurve: 'P-256' }));
  const uri = tlv(0x86, Buffer.from('a://a'));
  const san = sequence(tlv(0x82, Buffer.from('localhost')), ...Array.from({ length: names }, () => uri));
  const excluded = Array.from({ length: constraints }, () => sequence(tlv(0x86, Buffer.from('b'))));
  const constraint = extension(CONSTRAINTS, sequence(tlv(0xa1, ...excluded)));
  const ders = keys.map(({ publicKey }, index) => {
    const isRoot = index === authorities;
    const issuer = isRoot ? index : index + 1;
    const extensions =
      index === 0 ? [extension(SAN, san)] : [IS_AUTHORITY, ...(constraints > 0 && !isRoot ? [constraint] : [])];
    return certificate({ index, issuer, publicKey, signer: keys[issuer]!.privateKey, extensions });
  });
  return {
    cert: ders.map(pem).join(''),
    key: keys[0]!.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    root: pem(ders.at(-1)!),
    bytes: Buffer.concat(ders).length,
  };
}

interface Certified {
  index: number;
  issuer: number;
  publicKey: KeyObject;
  signer: KeyObject;
  extensions: Buffer[];
}

function certificate({ index, issuer, publicKey, signer, extensions }: Certified): Buffer {
  const tbs = sequence(
    tlv(0xa0, tlv(0x02, Buffer.of(2))),
    tlv(0x02, Buffer.of(index + 1)),
    ECDSA_SHA256,
    nameOf(issuer),
    sequence(tlv(0x17, Buffer.from('200101000000Z')), tlv(0x17, Buffer.from('491231235959Z'))),
    nameOf(index),
    publicKey.export({ type: 'spki', format: 'der' }),
    tlv(0xa3, sequence(...extensions)),
  );
  const signature = sign('sha256', tbs, signer);
  return sequence(tbs, ECDSA_SHA256, tlv(0x03, Buffer.of(0), signature));
}

function nameOf(index: number): Buffer {
  const commonName = sequence(Buffer.from('0603550403', 'hex'), tlv(0x0c, Buffer.from(`test ${index}`)));
  return sequence(tlv(0x31, commonName));
}

function extension(oid: string, value: Buffer): Buffer {
  return sequence(Buffer.from(oid, 'hex'), tlv(0x04, value));
}

function sequence(...parts: Buffer[]): Buffer {
  return tlv(0x30, ...parts);
}

/** A value with its tag and length (X.690, 8.1). */
function tlv(tag: number, ...parts: Buffer[]): Buffer {
  const value = Buffer.concat(parts);
  if (value.length < 0x80) return Buffer.concat([Buffer.of(tag, value.length), value]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(value.length);
  const digits = length.subarray(length.findIndex((byte) => byte > 0));
  return Buffer.concat([Buffer.of(tag, 0x80 | digits.length), digits, value]);
}

function pem(der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g)!;
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}
