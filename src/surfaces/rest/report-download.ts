import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Request, RequestHandler, Response } from 'express';
import {
  openReportFile,
  readFile,
  recordDownload,
  type ReportFile,
  scopeOfLink,
} from '../../actions/reports/download.ts';
import { generalLimits } from '../../graph/bounded.ts';
import { setupRequired } from '../../graph/builder.ts';
import { actorOf } from '../../graph/context.ts';
import type { Deps } from '../../kit/deps.ts';
import { arg, fix, invalid, mention, unauthorized, type AppError } from '../../kit/errors/errors.ts';
import type { Actor } from '../../tenancy/audit/store.ts';
import { exchangeOf } from '../http/exchange.ts';
import { callerUnknown, enter, type Gate } from '../http/gate.ts';
import { fileExample } from '../openapi/paths.ts';
import { commonHeaders, errorReferences } from '../openapi/responses.ts';
import type { Json } from '../openapi/schemas.ts';
import { refuseBody } from './input/body.ts';
import { matchesTag } from './etag.ts';
import { oneOf, parseSearch, searchOf } from './input/query.ts';
import { rangeOf } from './range.ts';

/** Path of the route, as in the document. */
export const downloadPath = '/reports/{id}/download';

/** `GET /reports/{id}/download`: a report's file, whole or in part, so that interrupted downloads can be resumed
 *  (RFC 9110, 14; RFC 6266). */
export function downloadRoute(deps: Deps, gate: Gate): RequestHandler {
  return async (req, res) => {
    exchangeOf(req).route = downloadPath;
    const viewer = await enter(gate, req, res, 'export');
    const id = String(req.params['id']);
    const { origin } = exchangeOf(req);
    if (!viewer && !/[?&]token=/.test(req.originalUrl)) throw callerUnknown();
    await refuseBody(req, res);
    const token = linkToken(req);
    if (token !== null) {
      refuseSecondMethod(req);
      const scope = await scopeOfLink(deps, id, token);
      if (!scope) throw linkExpired();
      const actor = { organizationId: scope.organizationId, userId: null, email: null, ...origin };
      return send(deps, req, res, { file: await openReportFile(deps, scope, id), actor });
    }
    if (!viewer) throw callerUnknown();
    if (viewer.twoFactorSetupRequired) throw setupRequired();
    const file = await openReportFile(deps, viewer.scope, id);
    await send(deps, req, res, { file, actor: actorOf({ viewer, actor: origin }) });
  };
}

/** Rejects a signed link combined with a bearer token: a request must use one authentication method (RFC 6750, 2).
 *  @throws {AppError} VALIDATION_ERROR naming both */
function refuseSecondMethod(req: Request): void {
  if (/^Bearer\b/i.test(req.get('authorization') ?? ''))
    throw invalid`${arg('token')} and a Bearer token cannot be combined${fix}send one of them`;
}

/** The token of a signed link; null if absent.
 *  @throws {AppError} VALIDATION_ERROR for any other parameter, or if it is repeated */
function linkToken(req: { originalUrl: string }): string | null {
  const parameters = parseSearch(searchOf(req));
  const unknown = [...parameters.keys()].find((name) => name !== 'token');
  if (unknown !== undefined)
    throw invalid`${arg(unknown.slice(0, 80))} is not a known parameter${fix}use ${mention('token')}`;
  return oneOf(parameters.get('token') ?? [], 'token') ?? null;
}

function linkExpired(): AppError {
  return unauthorized`This download link has expired or is incomplete${fix}sign in to Costkeep and open the report there`;
}

async function send(
  deps: Deps,
  req: Request,
  res: Response,
  { file, actor }: { readonly file: ReportFile; readonly actor: Actor },
): Promise<void> {
  const tag = `"${file.sha256}"`;
  res.setHeader('ETag', tag);
  res.setHeader('Accept-Ranges', 'bytes');
  res.setHeader('Cache-Control', 'no-store');
  res.vary('Authorization');
  if (matchesTag(req.get('if-none-match'), tag)) return void res.status(304).end();
  // Parts of different files must not be combined: the range applies only if the tag is identical (13.1.5).
  const ifRange = req.get('if-range')?.trim();
  const isRanged = req.method === 'GET' && (ifRange === undefined || ifRange === tag);
  const range = isRanged ? rangeOf(req.get('range'), file.size) : null;
  const { first, last } = range ?? { first: 0, last: file.size - 1 };
  // Data is sent only after the audit log has recorded it.
  if (req.method === 'GET') await recordDownload(deps, actor, file, range);
  if (range) res.status(206).setHeader('Content-Range', `bytes ${first}-${last}/${file.size}`);
  res.setHeader('Content-Type', file.mediaType);
  res.setHeader('Content-Length', last - first + 1);
  res.setHeader('Content-Disposition', `attachment; filename="${file.name}"`);
  if (req.method === 'HEAD') return void res.end();
  await pipeline(Readable.from(readFile(deps, file, { first, last }), { objectMode: true }), res).catch(
    (error: unknown) => {
      // A client that disconnected is not an error; and once a response has started, it can only be cut off.
      if (!req.destroyed)
        deps.log.warn({ err: error, reportId: file.reportId }, 'A report could not be sent completely');
      res.destroy();
    },
  );
}

/** Node.js limits the total size of headers and URL; no single header needs more than this. */
const headerText: Json = { type: 'string', maxLength: generalLimits.maxLength };

/** Offset in bytes of the partial example in the document. */
const exampleStart = 64;

/** The route in the OpenAPI document. */
export const downloadItem: Json = {
  get: {
    operationId: 'downloadReport',
    summary: 'Downloads the file of a report',
    description:
      'Downloads the file of a report. `Range` resumes an interrupted download; `If-Range` with the `ETag` ensures that the file is ' +
      'still the same. Recorded in the audit log.\n\n' +
      'Links in report emails work for 7 days without a Bearer token: their `token` is signed for this report only.\n\n' +
      'Rate limit: `export`, without a Bearer token `auth`.',
    tags: ['Reports'],
    security: [{ accessToken: [] }, { apiToken: [] }, {}],
    parameters: [
      {
        name: 'id',
        in: 'path',
        description: 'UUID of the report.',
        required: true,
        example: '019a8c2e-0000-7000-8000-000000000001',
        schema: { type: 'string', format: 'uuid' },
      },
      {
        name: 'token',
        in: 'query',
        description: 'The token of a signed link, in place of the Bearer token: a request with both is rejected.',
        example: 'c2FtcGxlLXRva2Vu',
        schema: headerText,
      },
      {
        name: 'Range',
        in: 'header',
        description: 'Byte range, such as `bytes=1000-`. A request for several ranges gets the whole file.',
        example: `bytes=${exampleStart}-`,
        schema: headerText,
      },
      {
        name: 'If-Range',
        in: 'header',
        description: '`ETag` of the file that the range belongs to.',
        example: '"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"',
        schema: headerText,
      },
      { $ref: '#/components/parameters/IfNoneMatch' },
    ],
    responses: {
      200: { description: 'The file.', headers: fileHeaders(), content: fileContent(0) },
      206: {
        description: 'The requested part of the file.',
        headers: {
          ...fileHeaders(),
          'Content-Range': {
            description: 'The part that was sent, and the size of the file.',
            schema: { type: 'string' },
          },
        },
        content: fileContent(exampleStart),
      },
      304: { description: 'The cached copy is still valid.', headers: fileHeaders() },
      ...errorReferences([400, 401, 403, 404, 409, 416, 429, 500, 503]),
    },
  },
};

function fileHeaders(): Json {
  return {
    ...commonHeaders,
    ETag: { description: 'SHA-256 of the file, in quotes.', schema: { type: 'string' } },
    'Accept-Ranges': { description: '`bytes`.', schema: { type: 'string' } },
    'Content-Disposition': { description: 'The file name.', schema: { type: 'string' } },
  };
}

/** @param start first byte of the example */
function fileContent(start: number): Json {
  const types = [
    'text/csv',
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    'application/pdf',
    'application/json',
  ];
  return Object.fromEntries(
    types.map((type) => {
      const { example } = fileExample('downloadReport', type);
      const part = typeof example === 'string' ? { example: Buffer.from(example).subarray(start).toString() } : {};
      return [type, { schema: { type: 'string', format: 'binary' }, ...part }];
    }),
  );
}
