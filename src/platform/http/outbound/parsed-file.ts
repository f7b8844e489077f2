import { readFile, stat } from 'node:fs/promises';

/** Reads and parses a system file, again after each change; an unreadable file counts as empty. */
export function parsedFile<T>(path: string, parse: (text: string) => T): () => Promise<T> {
  let known: { stamp: string; value: T } | undefined;
  return async () => {
    const stamp = await stat(path).then(
      ({ mtimeMs, size, ino }) => `${mtimeMs} ${size} ${ino}`,
      () => '',
    );
    if (known?.stamp !== stamp) known = { stamp, value: parse(await readFile(path, 'utf8').catch(() => '')) };
    return known.value;
  };
}
