import path from 'node:path';
import type { Prisma, UploadedFile } from '../../../prisma/generated/client/client.ts';
import type { Db } from '../../kit/db.ts';
import type { Deps } from '../../kit/deps.ts';
import { AppError, arg, choice, conflict, fix, mention, operation } from '../../kit/errors/errors.ts';
import { newId, requireById } from '../../kit/ids.ts';
import type { PageRequest } from '../../kit/page.ts';
import type { SortBy } from '../../kit/sort.ts';
import { parseSettings } from '../../providers/fields.ts';
import { stemOf } from '../../providers/layouts/listing.ts';
import type { Actor } from '../../tenancy/audit/store.ts';
import type { Viewer } from '../../tenancy/auth/scope.ts';
import { record, requireAccount, queueSync } from '../accounts/run.ts';
import { markChanged } from '../sync/store.ts';
import { checkContent, checkFileName } from './content.ts';
import { received, refuseSize, storeFull, type Received } from './receive.ts';
import {
  deleteFile,
  type fileSortFields,
  findFile,
  insertFile,
  listFiles,
  lockUploads,
  monthsOfFiles,
  pageFiles,
  selectFile,
  type OfAccount,
} from './store.ts';

type UploadDeps = Pick<Deps, 'db' | 'clock' | 'config' | 'queue' | 'factStore'>;

/** A file as a client sends it. */
interface SentFile {
  readonly accountId: string;
  readonly name: string;
  /** Size that the client announced; null: unknown. */
  readonly sizeBytes: number | null;
  readonly body: AsyncIterable<Buffer>;
}

/** Returns a page of the selected fields of an account's uploaded files, newest first.
 *  @throws {AppError} NOT_FOUND for an account outside the scope */
export async function pageUploads<Select extends Prisma.UploadedFileSelect>(
  deps: Pick<Deps, 'db'>,
  of: OfAccount,
  sortBy: SortBy<typeof fileSortFields> | null,
  page: PageRequest & { select: Select },
) {
  await requireAccount(deps, of.scope, of.accountId);
  return pageFiles(deps.db, of, sortBy, page);
}

/** Returns the selected fields of an uploaded file.
 *  @throws {AppError} NOT_FOUND for an account outside the scope, or an unknown file */
export async function readUpload(
  deps: Pick<Deps, 'db'>,
  of: OfAccount,
  id: string,
  query: Parameters<typeof selectFile>[3],
) {
  await requireAccount(deps, of.scope, of.accountId);
  return requireById('File', id, () => selectFile(deps.db, of, id, query));
}

/** Checks what is known of a file before it is sent.
 *  @throws {AppError} VALIDATION_ERROR for the name; PAYLOAD_TOO_LARGE */
export function checkUpload(
  { config }: Pick<Deps, 'config'>,
  { name, sizeBytes }: Pick<SentFile, 'name' | 'sizeBytes'>,
): void {
  refuseSize(sizeBytes ?? 0, config.uploadMaxMiB);
  checkFileName(name);
}

/** Stores a file of bills and queues a sync that loads it. A file of the same name is replaced. Sending the same bytes again
 *  changes nothing.
 *  @returns the file, the billing months that a sync found in it (null: not read yet), and whether it is new
 *  @throws {AppError} NOT_FOUND; CONFLICT when the account takes no uploads, or has the bill in another format;
 *  VALIDATION_ERROR for the content; PAYLOAD_TOO_LARGE; SERVICE_UNAVAILABLE when it cannot be stored */
export async function uploadFile(
  deps: UploadDeps,
  viewer: Viewer,
  actor: Actor,
  sent: SentFile,
): Promise<{ file: UploadedFile; months: readonly string[] | null; isNew: boolean }> {
  const of = { scope: viewer.scope, accountId: sent.accountId };
  await requireUploads(deps, of);
  const { dataDir, uploadMaxMiB: maxMiB } = deps.config;
  return received(sent.body, { folder: path.join(dataDir, 'uploads'), maxMiB }, async (content) => {
    checkContent(sent.name, content);
    const known = await findFile(deps.db, of, { sha256: content.sha256 });
    const { file, isNew } = known
      ? { file: known, isNew: false }
      : await keep(deps, { viewer, actor, of }, sent.name, content);
    const months = await monthsOfFiles(deps.db, viewer.scope, [file]);
    return { file, months: months.get(`${file.accountId} ${file.sha256}`) ?? null, isNew };
  });
}

/** @throws {AppError} NOT_FOUND for an account outside the scope; CONFLICT when it takes no uploads now */
async function requireUploads(deps: { readonly db: Db }, { scope, accountId }: OfAccount): Promise<void> {
  const { provider, settings, status } = await requireAccount(deps, scope, accountId);
  if (provider !== 'focus' || parseSettings(settings).source !== 'uploads')
    throw conflict`Account "${accountId}" does not accept uploads${fix}connect an account with provider ${choice('provider', 'focus')} and ${mention('settings.source')} ${choice('settings.source', 'uploads')}`;
  if (status === 'disconnected')
    throw conflict`Account "${accountId}" is disconnected${fix}reconnect it with ${operation('PATCH /accounts/{id}')} before an upload`;
}

interface By {
  readonly viewer: Viewer;
  readonly actor: Actor;
  readonly of: OfAccount;
}

async function keep(deps: UploadDeps, by: By, name: string, content: Received) {
  const { viewer, of } = by;
  const createdAt = deps.clock.now();
  const id = newId(createdAt);
  const storageKey = `${of.accountId}/uploads/${id}`;
  const { sha256 } = content;
  const { organizationId } = viewer.scope;
  const owner = { accountId: of.accountId, organizationId, createdById: viewer.userId };
  const file = { ...owner, id, name, sizeBytes: BigInt(content.sizeBytes), sha256, storageKey, createdAt };
  // Stored before the transaction that references it. If that fails, the collector deletes it a day later at the latest.
  await deps.factStore.put(storageKey, content.path).catch((error: unknown) => {
    throw storeFull(error);
  });
  const forget = () => deps.factStore.remove([storageKey]).catch(() => undefined);
  const twin = await deps.db
    .$transaction(async (tx) => {
      const found = await enter(tx, by, file);
      if (!found) await queueSync(deps, of.scope, of.accountId, tx);
      return found;
    })
    .catch(async (error: unknown) => {
      if (error instanceof AppError) await forget();
      throw error;
    });
  if (twin) {
    await forget();
    return { file: twin, isNew: false };
  }
  return { file, isNew: true };
}

/** @returns a file with the same content that another request has stored meanwhile; null: the file was inserted */
async function enter(tx: Db, { actor, of }: By, file: UploadedFile): Promise<UploadedFile | null> {
  await lockUploads(tx, of);
  // Again, because the account can be disconnected or deleted while the file is sent.
  await requireUploads({ db: tx }, of);
  const others = await listFiles(tx, of);
  const twin = others.find(({ sha256 }) => sha256 === file.sha256);
  if (twin) return twin;
  const old = others.find(({ name }) => name === file.name);
  const other = others.find(({ name }) => name !== file.name && stemOf(name) === stemOf(file.name));
  if (other)
    throw conflict`${arg('name', file.name)} differs from the uploaded file "${other.name}" only in its format, so its charges would count twice${fix}delete that one with ${operation('DELETE /accounts/{id}/files/{file_id}')}, or use its name`;
  if (old) await deleteFile(tx, old, file.createdAt);
  await insertFile(tx, file);
  const details = { file: file.name, bytes: Number(file.sizeBytes), sha256: file.sha256, replaced: old !== undefined };
  await record(tx, actor, { action: 'file_uploaded', id: of.accountId, details });
  await markChanged(tx, of.scope, of.accountId, file.createdAt);
  return null;
}

/** Deletes an uploaded file and queues a sync: months that no other file contains are removed.
 *  @throws {AppError} NOT_FOUND for an account outside the scope, or an unknown file */
export async function deleteUpload(deps: UploadDeps, actor: Actor, of: OfAccount, id: string): Promise<void> {
  await requireAccount(deps, of.scope, of.accountId);
  const now = deps.clock.now();
  await deps.db.$transaction(async (tx) => {
    const takes = await lockUploads(tx, of);
    const file = await requireById('File', id, () => findFile(tx, of, { id }));
    await deleteFile(tx, file, now);
    const details = { file: file.name, bytes: Number(file.sizeBytes), sha256: file.sha256 };
    await record(tx, actor, { action: 'file_deleted', id: of.accountId, details });
    if (!takes) return;
    await markChanged(tx, of.scope, of.accountId, now);
    // Even while a sync runs, which may have listed the files before the change.
    await queueSync(deps, of.scope, of.accountId, tx);
  });
}
