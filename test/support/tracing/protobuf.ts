/** A field of a protobuf message: its number, and its bytes or its integer. */
export interface Field {
  id: number;
  value: Buffer | bigint;
}

/** Reads a message in protobuf's wire format, written from its specification: the SDK's own code must not judge itself. */
export function fieldsOf(message: Buffer): Field[] {
  const fields: Field[] = [];
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = message[at++];
      if (byte === undefined) throw new Error('The message ends within a number.');
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  const take = (length: number): Buffer => {
    if (at + length > message.length) throw new Error('The message ends within a field.');
    return message.subarray(at, (at += length));
  };
  while (at < message.length) {
    const tag = varint();
    const [id, type] = [Number(tag >> 3n), Number(tag & 7n)];
    if (type === 0) fields.push({ id, value: varint() });
    else if (type === 1) fields.push({ id, value: take(8).readBigUInt64LE() });
    else if (type === 2) fields.push({ id, value: take(Number(varint())) });
    else if (type === 5) fields.push({ id, value: BigInt(take(4).readUInt32LE()) });
    else throw new Error(`Unknown wire type ${type}.`);
  }
  return fields;
}
