import { randomBytes } from 'node:crypto';
import { notFound } from './errors/errors.ts';

/** Generates a UUIDv7 (RFC 9562): ids sort by creation time in milliseconds. For rows whose id must be known before
 *  the insert; otherwise the data layer generates it. */
export function newId(now: Date): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(now.getTime(), 0, 6);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return idFromBytes(bytes);
}

/** The 16 bytes of an id. */
export function idToBytes(id: string): Buffer<ArrayBuffer> {
  return Buffer.from(id.replaceAll('-', ''), 'hex');
}

/** The id of 16 bytes, lower case with hyphens. */
export function idFromBytes(bytes: Buffer): string {
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** Whether a text is an id as we write them: lower case, with hyphens. Ids are opaque, so no other spelling is
 *  accepted. */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);
}

/** Returns the record with an id.
 *  @param kind kind of record, for the message
 *  @param find reads the record within the caller's scope; only called with UUIDs
 *  @throws {AppError} NOT_FOUND (BUDGET_NOT_FOUND for a budget) for text that is not a UUID, an unknown id, an id of
 *  another organization or an id outside the caller's scope */
export async function requireById<Row extends object>(
  kind: string,
  id: string,
  find: () => PromiseLike<Row | null | undefined>,
): Promise<Row> {
  const record = isUuid(id) ? await find() : null;
  if (!record) throw notFound(kind, id);
  return record;
}
