import { statfs } from 'node:fs/promises';

/** Free space below which no sync or export starts, in bytes: the database and the loader need it. */
export const leastFreeBytes = 64 * 2 ** 20;

/** Bytes that remain for us on the disk of a folder, without those reserved for root; null if it cannot be read. */
export async function freeBytes(folder: string): Promise<number | null> {
  const disk = await statfs(folder).catch(() => null);
  return disk && disk.bavail * disk.bsize;
}
