import type { Request, Response } from 'express';
import express from 'express';
import { AppError, invalid } from '../../kit/errors.ts';
import { isNestedTooDeep, maxNesting } from '../nesting.ts';

/** 1 MiB: no request of ours comes near. */
const bodyLimit = '1mb';

const parse = express.json({ limit: bodyLimit, strict: false });

/** Reads a JSON body. Undefined: there was none.
 *  @throws {AppError} UNSUPPORTED_MEDIA_TYPE when it calls itself something else; VALIDATION_ERROR when it cannot be
 *  unpacked or nests too deep; and what else the parser throws: see errors.ts */
export async function readJsonBody(req: Request, res: Response): Promise<unknown> {
  if (!hasBody(req)) return undefined;
  if (!req.is('application/json')) {
    const given = req.get('content-type') ?? 'none';
    throw new AppError(
      'UNSUPPORTED_MEDIA_TYPE',
      `The Content-Type must be application/json, not ${given.slice(0, 80)}`,
    );
  }
  await new Promise<void>((resolve, reject) => {
    parse(req, res, (error?: unknown) => (error === undefined || error === null ? resolve() : reject(readable(error))));
  });
  const body: unknown = req.body;
  if (isNestedTooDeep(body)) throw invalid(`The body nests deeper than ${maxNesting} levels`);
  return body;
}

/** What zlib says of a cut or false compression has no type, unlike the parser's own errors. */
function readable(error: unknown): unknown {
  const isUnpacking = error instanceof Error && 'code' in error && /^(Z_|ERR_)/.test(String(error.code));
  return isUnpacking ? invalid(`The body cannot be unpacked: ${error.message}`) : error;
}

function hasBody(req: Request): boolean {
  return req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > 0;
}
