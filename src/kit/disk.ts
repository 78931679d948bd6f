import { statfs } from 'node:fs/promises';

/** Bytes that remain for us on the disk of a folder, without those reserved for root; null if it cannot be read. */
export async function freeBytes(folder: string): Promise<number | null> {
  const disk = await statfs(folder).catch(() => null);
  return disk && disk.bavail * disk.bsize;
}
