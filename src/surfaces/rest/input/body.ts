import { isUtf8 } from 'node:buffer';
import type { Request, RequestHandler, Response } from 'express';
import express from 'express';
import type { ListBody } from '../../../graph/rest.ts';
import { AppError, fix, invalid, mention, message } from '../../../kit/errors/errors.ts';
import { isNestedTooDeep, maxNesting } from '../../http/nesting.ts';
import { objectOf, show } from './readers.ts';

/** Maximum body size in bytes: 1 MiB, far above any real request. */
export const maxBodyBytes = 2 ** 20;

const parse = express.json({ limit: maxBodyBytes, strict: false, verify: refuseOtherBytes });
const csvType = 'text/csv';
const parseText = express.text({ limit: maxBodyBytes, type: csvType, verify: refuseOtherBytes });

/** Closes the connection after the response to a request with too large a body, whatever the response is: otherwise Node would
 *  read the rest of the body first. */
export const closeAfterLargeBody: RequestHandler = (req, res, next) => {
  if (isDeclaredTooLarge(req)) res.setHeader('Connection', 'close');
  next();
};

function isDeclaredTooLarge(req: Request): boolean {
  return Number(req.headers['content-length'] ?? 0) > maxBodyBytes;
}

function tooLarge(): AppError {
  return new AppError('PAYLOAD_TOO_LARGE', message`The body is larger than 1 MiB`, {
    headers: { Connection: 'close' },
  });
}

/** Reads a JSON body. Undefined: no body.
 *  @throws {AppError} PAYLOAD_TOO_LARGE, without reading the rest; UNSUPPORTED_MEDIA_TYPE for another content type;
 *  VALIDATION_ERROR if it cannot be decompressed or nests too deep; and the parser's errors: see errors.ts */
export async function readJsonBody(req: Request, res: Response): Promise<unknown> {
  if (!hasBody(req)) return undefined;
  if (isDeclaredTooLarge(req)) throw tooLarge();
  if (!req.is('application/json')) {
    const given = req.get('content-type') ?? 'none';
    throw new AppError(
      'UNSUPPORTED_MEDIA_TYPE',
      message`The Content-Type must be application/json, not ${given.slice(0, 80)}`,
    );
  }
  const body = await parsed(parse, req, res);
  if (isNestedTooDeep(body)) throw invalid`The body nests deeper than ${maxNesting} levels`;
  return body;
}

/** Reads a body that is a list, as JSON or as CSV, into the argument that it stands for. Undefined: no body.
 *  @throws {AppError} as `readJsonBody`; VALIDATION_ERROR for JSON that is not an array, or naming a line of the CSV */
export async function readListBody(
  { argument, readCsv }: ListBody,
  req: Request,
  res: Response,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  if (isDeclaredTooLarge(req)) throw tooLarge();
  if (hasBody(req) && req.is(csvType)) return { [argument]: readCsv(String(await parsed(parseText, req, res))) };
  const body = await readJsonBody(req, res);
  if (body === undefined) return undefined;
  if (!Array.isArray(body))
    throw invalid`The body must be a JSON array of ${mention(argument)}, not ${show(body, 'body')}`;
  return { [argument]: body };
}

async function parsed(parser: RequestHandler, req: Request, res: Response): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  // The parser would read a body of unknown length to its end before it rejects it.
  let received = 0;
  const count = (chunk: Buffer) => {
    received += chunk.length;
    if (received > maxBodyBytes) reject(tooLarge());
  };
  req.on('data', count);
  const done = (error?: unknown) => (error === undefined || error === null ? resolve() : reject(readable(error)));
  void parser(req, res, done);
  await promise.finally(() => req.off('data', count));
  return req.body as unknown;
}

/** Rejects the body of a request that takes none, instead of ignoring its arguments. `{}` is accepted: it is empty,
 *  and some clients send it with every request.
 *  @throws {AppError} VALIDATION_ERROR, whatever is wrong with the body itself */
export async function refuseBody(req: Request, res: Response): Promise<void> {
  const body = await readJsonBody(req, res).catch((error: unknown) => {
    // Then the connection is closed, too.
    if (error instanceof AppError && error.code === 'PAYLOAD_TOO_LARGE') res.setHeader('Connection', 'close');
    return null;
  });
  if (body === undefined || Object.keys(objectOf(body) ?? ['']).length === 0) return;
  throw invalid`This request takes no body${fix}give its arguments in the path and the query, and leave the body out`;
}

/** Rejects bytes that are not UTF-8, which the parser would replace with U+FFFD.
 *  @throws {Error} in the parser's format, for errors.ts */
function refuseOtherBytes(_req: unknown, _res: unknown, body: Buffer, charset: string): void {
  if (charset !== 'utf-8' || isUtf8(body)) return;
  throw Object.assign(new Error('it is not valid UTF-8; encode it as UTF-8'), { type: 'encoding.failed' });
}

/** zlib's errors for truncated or invalid compression have no type, unlike the parser's own errors. */
function readable(error: unknown): unknown {
  const isUnpacking = error instanceof Error && 'code' in error && /^(Z_|ZSTD_|ERR_)/.test(String(error.code));
  return isUnpacking ? invalid`The body cannot be unpacked: ${error.message}` : error;
}

function hasBody(req: Request): boolean {
  return req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > 0;
}
