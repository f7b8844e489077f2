import { readFile, stat } from 'node:fs/promises';

/** Reads a file of the system and parses it, again whenever it has changed; one that can't be read counts as empty. */
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
