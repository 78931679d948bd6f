import { z } from 'zod';

/** Version of the archive's layout. A newer one is rejected. */
export const archiveFormat = 1;

/** First entry of an archive. */
export const headerName = 'backup.json';
/** Entry after all others; its absence shows that the archive is incomplete. */
export const manifestName = 'manifest.json';
/** Last entry: the SHA-256 of the manifest. */
export const digestName = 'manifest.json.sha256';

/** Largest part of a table's rows, before and after compression. A backup starts a new part after 8 MiB. */
export const maxPartBytes = 64 * 2 ** 20;

/** Base64 of a number of bytes. */
const bytesOf = (min: number, max: number) =>
  z.base64().refine(
    (text) => {
      const { length } = Buffer.from(text, 'base64');
      return length >= min && length <= max;
    },
    `must have ${min === max ? min : `${min} to ${max}`} bytes`,
  );

/** Secrets encrypted with a key derived from a passphrase. */
const sealedSchema = z.object({
  kdf: z
    .object({
      name: z.literal('argon2id'),
      memoryKiB: z.int().max(4_194_304),
      passes: z.int().min(1).max(100),
      lanes: z.int().min(1).max(64),
      salt: bytesOf(8, 64),
    })
    .refine(({ memoryKiB, lanes }) => memoryKiB >= 8 * lanes, 'must have 8 KiB of memory per lane'),
  cipher: z.literal('aes-256-gcm'),
  iv: bytesOf(12, 12),
  tag: bytesOf(16, 16),
  text: z.base64(),
});

/** Sealed secrets, as they are stored. */
export type Sealed = z.output<typeof sealedSchema>;

/** Text that messages can print. */
const printable = z.string().regex(/^[ -~]{1,200}$/);

function areUnique(list: readonly { readonly name: string }[]): boolean {
  return new Set(list.map(({ name }) => name)).size === list.length;
}

/** Description of the archive, which a restore reads before the rest. */
export const headerSchema = z.object({
  format: z.int(),
  /** Version of the server that wrote it. */
  costkeep: printable,
  postgres: printable,
  createdAt: z.iso.datetime(),
  migrations: z
    .array(z.object({ name: printable, checksum: z.string() }))
    .refine(areUnique, 'must not list a migration twice'),
  /** Identify the keys without revealing them, the current one first. */
  keyIds: z.object({ jwt: z.array(z.string()), encryption: z.array(z.string()) }),
  /** The keys; null if they must be kept separately. */
  keys: sealedSchema.nullable(),
});

/** First entry of an archive. */
export type Header = z.output<typeof headerSchema>;

/** Name of a table, column or sequence. */
const identifier = z.string().regex(/^\w{1,63}$/);

const rows = z
  .object({
    name: identifier,
    columns: z.array(identifier),
    rows: z.int().min(0),
    /** Of the uncompressed rows. */
    sha256: z.string(),
    parts: z.int().min(0),
  })
  .refine(({ rows: count, parts }) => count === 0 || parts > 0, 'Rows without parts');

/** Everything in an archive, with digests. */
export const manifestSchema = z.object({
  tables: z.array(rows).refine(areUnique, 'must not list a table twice'),
  /** Background jobs that were waiting. */
  jobs: rows,
  sequences: z.array(z.object({ name: identifier, value: z.string(), isCalled: z.boolean() })),
  files: z.int(),
  entries: z
    .array(z.object({ name: z.string(), bytes: z.int(), sha256: z.string() }))
    .refine(areUnique, 'must not list an entry twice'),
});

/** Manifest of an archive. */
export type Manifest = z.output<typeof manifestSchema>;

/** Rows of one table. */
export type TableRows = z.output<typeof rows>;

/** An entry with its digest. */
export type EntryDigest = Manifest['entries'][number];

const partDigits = 6;

/** Name of the entry with a part of a table's rows. */
export function partName(table: string, part: number): string {
  return `tables/${table}/${String(part).padStart(partDigits, '0')}.copy.zst`;
}

/** The table whose rows are in an entry; null for other entries. */
export function tableOf(entry: string): string | null {
  return /^tables\/(\w+)\/\d+\.copy\.zst$/.exec(entry)?.[1] ?? null;
}

/** Name of the entry with a file of the fact store. */
export function fileName(key: string): string {
  return `facts/${key}`;
}

/** `<account>/<month>/<file>` or `<account>/uploads/<id>`. */
const filePattern = /^facts\/([\da-f-]{36}\/(?:\d{4}-\d\d|uploads)\/[\w-][\w.-]{0,199})$/;

/** Key of the fact store's file that is in an entry; null for other entries. */
export function keyOf(entry: string): string | null {
  return filePattern.exec(entry)?.[1] ?? null;
}

/** Name of the entry group with background jobs; no table has it. */
export const jobsName = 'graphile_worker_jobs';
