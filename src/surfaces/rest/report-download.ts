import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Request, RequestHandler, Response } from 'express';
import { openReportFile, readFile, recordDownload, type ReportFile } from '../../actions/reports/download.ts';
import { setupRequired } from '../../graph/builder.ts';
import { actorOf } from '../../graph/context.ts';
import type { Deps } from '../../kit/deps.ts';
import { invalid } from '../../kit/errors.ts';
import { exchangeOf } from '../exchange.ts';
import { tooMany, unauthorized, type Gate } from '../gate.ts';
import { commonHeaders, errorReference } from '../openapi/responses.ts';
import type { Json } from '../openapi/schemas.ts';
import { matchesTag } from './etag.ts';
import { parseSearch } from './query.ts';
import { rangeOf } from './range.ts';

/** The route's path, as the document has it. */
export const downloadPath = '/reports/{id}/download';

/** `GET /reports/{id}/download`: a report's file, whole or in part, so that a download that was cut short goes on where it
 *  stood (RFC 9110, 14; RFC 6266). */
export function downloadRoute(deps: Deps, gate: Gate): RequestHandler {
  return async (req, res) => {
    exchangeOf(req).route = downloadPath;
    const viewer = await gate.identify(req);
    const verdict = await gate.count(req, res, 'export');
    if (verdict.limited) throw tooMany(verdict);
    if (!viewer) throw unauthorized();
    refuseParameters(req);
    if (viewer.twoFactorSetupRequired) throw setupRequired();
    const file = await openReportFile(deps, viewer.scope, String(req.params['id']));
    await send(deps, req, res, file);
  };
}

function refuseParameters(req: { originalUrl: string }): void {
  const [name] = parseSearch(new URL(req.originalUrl, 'http://localhost').search).keys();
  if (name !== undefined) throw invalid(`${name.slice(0, 80)} is not a known parameter`);
}

async function send(deps: Deps, req: Request, res: Response, file: ReportFile): Promise<void> {
  const tag = `"${file.sha256}"`;
  res.setHeader('ETag', tag);
  res.setHeader('Accept-Ranges', 'bytes');
  res.setHeader('Cache-Control', 'private, no-cache');
  res.vary('Authorization');
  if (matchesTag(req.get('if-none-match'), tag)) return void res.status(304).end();
  // Parts of another file must not be put together: only the very same tag lets the range count (13.1.5).
  const ifRange = req.get('if-range')?.trim();
  const isRanged = req.method === 'GET' && (ifRange === undefined || ifRange === tag);
  const range = isRanged ? rangeOf(req.get('range'), file.size) : null;
  const { first, last } = range ?? { first: 0, last: file.size - 1 };
  const { origin, viewer } = exchangeOf(req);
  // Data leaves only after the audit log knows of it.
  if (req.method === 'GET') await recordDownload(deps, actorOf({ viewer, actor: origin }), file, range);
  if (range) res.status(206).setHeader('Content-Range', `bytes ${first}-${last}/${file.size}`);
  res.setHeader('Content-Type', file.mediaType);
  res.setHeader('Content-Length', last - first + 1);
  res.setHeader('Content-Disposition', `attachment; filename="${file.name}"`);
  if (req.method === 'HEAD') return void res.end();
  await pipeline(Readable.from(readFile(deps, file, { first, last }), { objectMode: true }), res).catch(
    (error: unknown) => {
      // Who went away is no failure of ours; and of what began nothing else can be said than that it ends here.
      if (!req.destroyed)
        deps.log.warn({ err: error, reportId: file.reportId }, 'A report could not be sent to its end');
      res.destroy();
    },
  );
}

/** The route in the OpenAPI document. */
export const downloadItem: Json = {
  get: {
    operationId: 'downloadReport',
    summary: 'The file of a report',
    description:
      'The file of a report. With `Range` a part of it, so that a download that was cut short can go on; `If-Range` with ' +
      'the `ETag` makes sure that it is the same file. Recorded in the audit log.\n\nCounts as `export`.',
    tags: ['Reports'],
    parameters: [
      { name: 'id', in: 'path', description: 'UUID of the report.', required: true, schema: { type: 'string' } },
      {
        name: 'Range',
        in: 'header',
        description: 'The part that is wanted, such as `bytes=1000-`. Of several ranges all of the file is sent.',
        schema: { type: 'string' },
      },
      { name: 'If-Range', in: 'header', description: 'The `ETag` that the range is of.', schema: { type: 'string' } },
      { $ref: '#/components/parameters/IfNoneMatch' },
    ],
    responses: {
      200: { description: 'The file.', headers: fileHeaders(), content: fileContent() },
      206: {
        description: 'The part of the file that was asked for.',
        headers: {
          ...fileHeaders(),
          'Content-Range': { description: 'Which part it is.', schema: { type: 'string' } },
        },
        content: fileContent(),
      },
      304: { description: 'The client’s copy is still good.', headers: fileHeaders() },
      ...Object.fromEntries(
        [400, 401, 403, 404, 409, 416, 429, 500, 503].map((status) => [status, errorReference(status)]),
      ),
    },
  },
};

function fileHeaders(): Json {
  return {
    ...commonHeaders,
    ETag: { description: 'SHA-256 of the file, in quotes.', schema: { type: 'string' } },
    'Accept-Ranges': { description: '`bytes`.', schema: { type: 'string' } },
    'Content-Disposition': { description: 'The name to keep it by.', schema: { type: 'string' } },
  };
}

function fileContent(): Json {
  const file = { schema: { type: 'string', format: 'binary' } };
  const types = [
    'text/csv',
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    'application/pdf',
    'application/json',
  ];
  return Object.fromEntries(types.map((type) => [type, file]));
}
