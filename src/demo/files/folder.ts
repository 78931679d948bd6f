import { mkdir, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** A folder that contains exactly the files put into it. Files with unchanged content are not touched, so that a
 *  sync recognizes them as unchanged. */
export class GeneratedFolder {
  readonly #root: string;
  readonly #kept = new Set<string>();

  /** @param root absolute path; `removeOthers` deletes everything else in it */
  constructor(root: string) {
    this.#root = root;
  }

  /** @param name relative, with `/` */
  async put(name: string, content: string | Uint8Array): Promise<void> {
    const bytes = Buffer.from(content);
    const { target, temporary } = await this.#placeOf(name);
    if (await holds(target, bytes)) return;
    await writeFile(temporary, bytes);
    await rename(temporary, target);
  }

  /** Like `put`, for writers that need a path. */
  async putBy(name: string, write: (temporary: string) => Promise<void>): Promise<void> {
    const { target, temporary } = await this.#placeOf(name);
    await write(temporary);
    if (await holds(target, await readFile(temporary))) await rm(temporary);
    else await rename(temporary, target);
  }

  /** Removes every file not put since this object was created, such as months outside the window. Keeps files that
   *  another process is writing. */
  async removeOthers(): Promise<void> {
    for (const entry of await readdir(this.#root, { recursive: true, withFileTypes: true })) {
      const at = path.join(entry.parentPath, entry.name);
      if (!entry.isFile() || this.#kept.has(at) || (entry.name.startsWith('.') && (await isNew(at)))) continue;
      await rm(at, { force: true });
    }
  }

  async #placeOf(name: string): Promise<{ target: string; temporary: string }> {
    const target = path.join(this.#root, name);
    this.#kept.add(target);
    await mkdir(path.dirname(target), { recursive: true });
    // Hidden, so that a running sync does not list it.
    return { target, temporary: path.join(path.dirname(target), `.${path.basename(target)}.${process.pid}`) };
  }
}

const anHourMs = 3_600_000;

async function isNew(file: string): Promise<boolean> {
  const found = await stat(file).catch(() => null);
  return found !== null && Date.now() - found.mtimeMs < anHourMs;
}

async function holds(target: string, bytes: Buffer): Promise<boolean> {
  const old = await readFile(target).catch(() => null);
  return old?.equals(bytes) ?? false;
}
