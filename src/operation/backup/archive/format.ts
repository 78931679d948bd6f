import { z } from 'zod';

/** Version of the archive's layout. A newer one is rejected. */
export const archiveFormat = 1;

/** First entry of an archive. */
export const headerName = 'backup.json';
/** Entry after all others; its absence shows that the archive is incomplete. */
export const manifestName = 'manifest.json';
/** Last entry: the SHA-256 of the manifest. */
export const digestName = 'manifest.json.sha256';

/** Secrets encrypted with a key derived from a passphrase. */
const sealedSchema = z.object({
  kdf: z.object({
    name: z.literal('argon2id'),
    memoryKiB: z.int().min(8).max(4_194_304),
    passes: z.int().min(1).max(100),
    lanes: z.int().min(1).max(64),
    salt: z.base64(),
  }),
  cipher: z.literal('aes-256-gcm'),
  iv: z.base64(),
  tag: z.base64(),
  text: z.base64(),
});

/** Sealed secrets, as they are stored. */
export type Sealed = z.output<typeof sealedSchema>;

/** Description of the archive, which a restore reads before the rest. */
export const headerSchema = z.object({
  format: z.int(),
  /** Version of the server that wrote it. */
  costkeep: z.string(),
  postgres: z.string(),
  createdAt: z.iso.datetime(),
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })),
  /** Identify the keys without revealing them, the current one first. */
  keyIds: z.object({ jwt: z.array(z.string()), encryption: z.array(z.string()) }),
  /** The keys; null if they must be kept separately. */
  keys: sealedSchema.nullable(),
});

/** First entry of an archive. */
export type Header = z.output<typeof headerSchema>;

/** Name of a table, column or sequence. */
const identifier = z.string().regex(/^\w+$/);

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
  tables: z.array(rows),
  /** Background jobs that were waiting. */
  jobs: rows,
  sequences: z.array(z.object({ name: identifier, value: z.string(), isCalled: z.boolean() })),
  files: z.int(),
  entries: z.array(z.object({ name: z.string(), bytes: z.int(), sha256: z.string() })),
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

/** Key of the fact store's file that is in an entry; null for other entries. */
export function keyOf(entry: string): string | null {
  return /^facts\/(.+)$/.exec(entry)?.[1] ?? null;
}

/** Name of the entry group with background jobs; no table has it. */
export const jobsName = 'graphile_worker_jobs';
