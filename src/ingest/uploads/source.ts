import { randomUUID } from 'node:crypto';
import { constants, copyFile } from 'node:fs/promises';
import path from 'node:path';
import type { UploadedFile } from '../../../prisma/generated/client/client.ts';
import type { Deps } from '../../kit/deps.ts';
import { AppError } from '../../kit/errors/errors.ts';
import type { CostSource } from '../../providers/contract.ts';
import { TryLater } from '../../providers/faults.ts';
import { planFiles } from '../../providers/layouts/layout.ts';
import { listFiles, type OfAccount } from './store.ts';

/** Reads the files that members uploaded to an account, from the fact store. */
export function uploadedSource({ db, factStore }: Pick<Deps, 'db' | 'factStore'>, of: OfAccount): CostSource {
  const known = new Map<string, UploadedFile>();
  return {
    isInPlace: false,
    async list() {
      for (const file of await listFiles(db, of)) known.set(file.name, file);
      const listing = [...known.values()].map(({ name, sha256, sizeBytes, createdAt }) => {
        return { key: name, token: sha256, sizeBytes: Number(sizeBytes), modifiedAt: createdAt };
      });
      const noManifest = (key: string) => Promise.reject(new Error(`"${key}" is not a manifest`));
      return { ...(await planFiles(listing, noManifest)), memo: null, isWhole: true };
    },
    async fetch({ key, format }, folder, signal) {
      const file = known.get(key);
      if (!file) throw new Error(`"${key}" was not listed`);
      const stored = { key: file.storageKey, bytes: Number(file.sizeBytes) };
      const lease = await factStore.lease([stored], signal).catch((error: unknown) => {
        // A temporary failure of the store, or a file that was deleted meanwhile: neither is a fault of the bills.
        throw error instanceof AppError ? new TryLater(error.reason, { cause: error }) : error;
      });
      try {
        const local = path.join(folder, `${randomUUID()}.${format}`);
        await copyFile(lease.pathOf(file.storageKey), local, constants.COPYFILE_FICLONE);
        return local;
      } finally {
        lease.release();
      }
    },
  };
}
