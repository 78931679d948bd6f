import { Prisma, type UploadedFile } from '../../../prisma/generated/client/client.ts';
import { onRetiredAgain } from '../../kit/database/retire-facts.ts';
import type { Db } from '../../kit/db.ts';
import type { PageRequest } from '../../kit/page.ts';
import { parseSort, type SortBy } from '../../kit/sort.ts';
import { monthAt } from '../../kit/time/period.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';

/** Files of one account that the caller may see. */
export interface OfAccount {
  readonly scope: OrgScope;
  readonly accountId: string;
}

/** Sort fields of uploaded files, in REST spelling. */
export const fileSortFields = ['created_at', 'size_bytes'] as const;

function whereOf({ scope: { organizationId, accountIds }, accountId }: OfAccount): Prisma.UploadedFileWhereInput {
  const visible = accountIds === null || accountIds.includes(accountId);
  return { organizationId, accountId: visible ? accountId : { in: [] } };
}

/** Returns a page of the selected fields of an account's files, and their number. */
export async function pageFiles<Select extends Prisma.UploadedFileSelect>(
  db: Db,
  of: OfAccount,
  sortBy: SortBy<typeof fileSortFields> | null,
  { select, skip, take }: PageRequest & { select: Select },
) {
  const { field, direction } = parseSort(sortBy, fileSortFields) ?? { field: 'created_at', direction: 'desc' };
  const column = ({ created_at: 'createdAt', size_bytes: 'sizeBytes' } as const)[field];
  const where = whereOf(of);
  const [rows, total] = await Promise.all([
    db.uploadedFile.findMany({ where, select, orderBy: [{ [column]: direction }, { id: direction }], skip, take }),
    db.uploadedFile.count({ where }),
  ]);
  return { rows, total };
}

/** Returns the selected fields of a file, or null. */
export function selectFile(
  db: Db,
  of: OfAccount,
  id: string,
  query: Pick<Prisma.UploadedFileDefaultArgs, 'select' | 'include'>,
) {
  return db.uploadedFile.findFirst({ ...query, where: { AND: [whereOf(of), { id }] } });
}

/** Returns the file with this id or content, or null. */
export function findFile(
  db: Db,
  of: OfAccount,
  by: { readonly id: string } | { readonly sha256: string },
): Promise<UploadedFile | null> {
  return db.uploadedFile.findFirst({ where: { AND: [whereOf(of), by] } });
}

/** Lists all files of an account, ordered by name. */
export function listFiles(db: Db, of: OfAccount): Promise<UploadedFile[]> {
  return db.uploadedFile.findMany({ where: whereOf(of), orderBy: { name: 'asc' } });
}

/** Serializes changes of an account's files until the end of the transaction.
 *  @returns whether the account is connected and takes uploads */
export async function lockUploads(db: Db, { scope, accountId }: OfAccount): Promise<boolean> {
  // A lock weak enough not to block foreign key checks against the account.
  const rows = await db.$queryRaw<{ takes: boolean }[]>`/* lockUploads */
    SELECT status = 'connected' AND provider = 'focus' AND settings->>'source' = 'uploads' AS takes
    FROM accounts WHERE id = ${accountId}::uuid AND organization_id = ${scope.organizationId}::uuid FOR NO KEY UPDATE`;
  return rows[0]?.takes ?? false;
}

export async function insertFile(db: Db, file: UploadedFile): Promise<void> {
  await db.uploadedFile.create({ data: file, select: { id: true } });
}

/** Deletes a file. Its bytes are deleted once no sync can still read them. */
export async function deleteFile(db: Db, { id, organizationId, storageKey }: UploadedFile, now: Date): Promise<void> {
  await db.$executeRaw`/* retireUpload */ INSERT INTO retired_fact_files (key, retired_at)
    VALUES (${storageKey}, ${now}) ${Prisma.raw(onRetiredAgain)}`;
  await db.uploadedFile.deleteMany({ where: { id, organizationId } });
}

/** Returns the billing months that syncs found in files, by the files' SHA-256; files that were not read yet are absent. */
export async function monthsOfFiles(
  db: Db,
  { organizationId }: OrgScope,
  files: readonly Pick<UploadedFile, 'accountId' | 'sha256'>[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const accountId = { in: [...new Set(files.map((file) => file.accountId))] };
  const token = { in: [...new Set(files.map((file) => file.sha256))] };
  const rows = await db.sourceFile.findMany({ where: { organizationId, accountId, token } });
  return new Map(rows.map((row) => [`${row.accountId} ${row.token}`, row.periods.map(monthAt).sort()]));
}
