import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { type Readable } from 'node:stream';
import { flush } from '../db/embedded/create-cluster.js';
import { type Manifest, MANIFEST, writeManifest } from './manifest.js';

type Entry = Manifest['files'][number];

/** A backup that is being written: mode 0700, and without a manifest until every byte is on the disk. */
export class BackupFolder {
  readonly files: Entry[] = [];
  private readonly made = new Set<string>();

  private constructor(readonly path: string) {}

  /** Creates the folder; an empty one is used as it is. @throws Error when it cannot be written or is not empty. */
  static create(folder: string): BackupFolder {
    const path = resolve(folder);
    try {
      mkdirSync(path, { recursive: true, mode: 0o700 });
      if (readdirSync(path).length > 0) throw new Error(`${path} is not empty: name a new folder.`);
      chmodSync(path, 0o700);
    } catch (cause) {
      const { code } = cause as NodeJS.ErrnoException;
      if (code === undefined) throw cause;
      throw new Error(`The folder ${path} cannot be written (${code}): name another one.`, { cause });
    }
    return new BackupFolder(path);
  }

  /** Writes a file with mode 0600 to the disk, and records its size and checksum. */
  async write(name: string, content: Readable | AsyncIterable<Buffer> | Buffer): Promise<void> {
    const path = join(this.path, name);
    this.makeFolder(dirname(name));
    const hash = createHash('sha256');
    const file = await open(path, 'wx', 0o600);
    let bytes = 0;
    try {
      for await (const chunk of Buffer.isBuffer(content) ? [content] : content) {
        hash.update(chunk as Buffer);
        bytes += (chunk as Buffer).length;
        await file.writeFile(chunk as Buffer);
      }
      await file.sync();
    } finally {
      await file.close();
    }
    this.files.push({ name, bytes, sha256: hash.digest('hex') });
  }

  /** Makes the backup whole: the manifest gets its name when everything else is on the disk. */
  finish(manifest: Omit<Manifest, 'format' | 'files'>): Manifest {
    const files = this.files.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    const whole: Manifest = { format: 1, ...manifest, files };
    for (const folder of [...this.made, '.']) flush(join(this.path, folder));
    const part = join(this.path, `${MANIFEST}.part`);
    writeFileSync(part, writeManifest(whole), { mode: 0o600, flush: true });
    renameSync(part, join(this.path, MANIFEST));
    flush(this.path);
    flush(dirname(this.path));
    return whole;
  }

  /** Removes a backup that was not finished. */
  abandon(): void {
    for (const name of readdirSync(this.path)) rmSync(join(this.path, name), { recursive: true, force: true });
  }

  private makeFolder(name: string): void {
    for (let folder = name; folder !== '.'; folder = dirname(folder)) this.made.add(folder);
    mkdirSync(join(this.path, name), { recursive: true, mode: 0o700 });
  }
}
