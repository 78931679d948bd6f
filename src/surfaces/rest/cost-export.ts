import { createReadStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { Request, RequestHandler, Response } from 'express';
import { GraphQLList, GraphQLNonNull, GraphQLString } from 'graphql';
import { filterParameters, filtersIn } from '../../facts/costs/breakdown/flat.ts';
import {
  exportFormats,
  writeExport,
  type ExportArgs,
  type ExportedFile,
  type ExportFormat,
} from '../../facts/costs/export.ts';
import { limited } from '../../graph/bounded.ts';
import { setupRequired } from '../../graph/builder.ts';
import { actorOf } from '../../graph/context.ts';
import type { Deps } from '../../kit/deps.ts';
import { AppError, arg, fix, invalid, mention, message } from '../../kit/errors/errors.ts';
import { Limiter } from '../../kit/process/limiter.ts';
import { writeAudit } from '../../tenancy/audit/store.ts';
import { refuseBlank, refuseLarge } from '../http/arguments.ts';
import { exchangeOf, signalOf } from '../http/exchange.ts';
import { callerUnknown, enter, type Gate } from '../http/gate.ts';
import { fileExample } from '../openapi/paths.ts';
import { commonHeaders, errorReferences } from '../openapi/responses.ts';
import type { Json } from '../openapi/schemas.ts';
import { flawIn } from '../http/storable.ts';
import { refuseBody } from './input/body.ts';
import { oneOf, parseSearch, searchOf, textReaderOf } from './input/query.ts';
import { givenAs } from './input/readers.ts';

/** Path of the route, as in the document. */
export const exportPath = '/costs/export';

/** Maximum number of open exports, per member and in total: each has a file on the disk until its download ends. */
const mostOfOne = 2;
const most = 8;

/** `GET /costs/export`: the facts in the caller's scope as a file with FOCUS columns. */
export function exportRoute(deps: Deps, gate: Gate): RequestHandler {
  const limiter = new Limiter({ limit: most, limitPerOwner: mostOfOne });
  return async (req, res) => {
    exchangeOf(req).route = exportPath;
    const viewer = await enter(gate, req, res, 'export');
    if (!viewer) throw callerUnknown();
    await refuseBody(req, res);
    const given = readParameters(req);
    const args = argsOf(given);
    if (viewer.twoFactorSetupRequired) throw setupRequired();
    res.setHeader('Cache-Control', 'no-store');
    const release = limiter.tryAcquire({ owner: viewer.userId });
    if (!release) throw tooManyOpen();
    try {
      const file = await writeExport(deps, viewer.scope, args, signalOf(res));
      await send(deps, req, res, { file, given }).finally(() => rm(file.path, { force: true }));
    } finally {
      release();
    }
  };
}

function tooManyOpen(): AppError {
  const statement = message`At most ${mostOfOne} exports per member and ${most} in total are open at a time${fix}wait until a download ends, or cancel it`;
  return new AppError('RATE_LIMITED', statement, { headers: { 'Retry-After': '5' } });
}

type Given = Readonly<Record<string, readonly string[]>>;

const own = ['format', 'start_date', 'end_date', 'account_id'] as const;
type FilterParameter = ReturnType<typeof filterParameters>[number];

const filterNames = filterParameters().map(({ name }) => name);
const textList = new GraphQLList(new GraphQLNonNull(GraphQLString));
const readTexts = textReaderOf(textList);

/** @throws {AppError} VALIDATION_ERROR for an unknown or invalid parameter */
function readParameters(req: Request): Given {
  const given: Record<string, readonly string[]> = {};
  const known = [...own, ...filterNames];
  for (const [name, texts] of parseSearch(searchOf(req))) {
    if (!known.includes(name))
      throw invalid`${arg(name.slice(0, 80))} is not a known parameter${fix}use ${mention(...known)}`;
    const values = readTexts(texts, name);
    const argument = { name, type: textList, extensions: {} };
    refuseBlank(argument, values);
    refuseLarge(argument, values);
    const flaw = flawIn(values);
    if (flaw !== null) throw invalid`${arg(name)} must not contain ${flaw}`;
    given[name] = [values].flat().map(String);
  }
  return given;
}

function argsOf(given: Given): ExportArgs {
  const one = (name: string): string | null => oneOf(given[name] ?? [], name) ?? null;
  const { include, exclude } = filtersIn(given).filters ?? {};
  const accounts = given['account_id'];
  const alias = accounts ? [{ dimension: 'account', values: accounts, parameter: 'account_id' } as const] : [];
  const filters = { include: [...alias, ...(include ?? [])], exclude: exclude ?? [] };
  return { format: formatOf(one('format')), startDate: one('start_date'), endDate: one('end_date'), filters };
}

function formatOf(text: string | null): ExportFormat {
  const formats = Object.keys(exportFormats) as ExportFormat[];
  const format = formats.find((known) => known === text);
  if (format) return format;
  if (text === null) throw invalid`${arg('format')} is required: ${formats.join(' or ')}`;
  throw invalid`${arg('format', givenAs(text, 'format'))} must be one of ${formats.join(', ')}`;
}

/** Data is sent only after the audit log has recorded it. */
async function send(
  deps: Deps,
  req: Request,
  res: Response,
  { file, given }: { file: ExportedFile; given: Given },
): Promise<void> {
  const { size } = await stat(file.path);
  const { origin, viewer } = exchangeOf(req);
  if (req.method === 'GET')
    await writeAudit(deps.db, actorOf({ viewer, actor: origin }), {
      action: 'data_exported',
      resourceType: 'costs',
      details: {
        operation: 'exportCosts',
        file: file.name,
        bytes: size,
        parameters: Object.fromEntries(Object.entries(given).map(([name, texts]) => [name, [...texts]])),
      },
    });
  res.setHeader('Content-Type', file.mediaType);
  res.setHeader('Content-Length', size);
  res.setHeader('Content-Disposition', `attachment; filename="${file.name}"`);
  if (req.method === 'HEAD') return void res.end();
  await pipeline(createReadStream(file.path), res).catch((error: unknown) => {
    if (!req.destroyed) deps.log.warn({ err: error }, 'An export could not be sent completely');
    res.destroy();
  });
}

/** The route in the OpenAPI document. */
export const exportItem = {
  get: {
    operationId: 'exportCosts',
    summary: 'Exports charges as a FOCUS file',
    description:
      'Returns the charges in the caller’s scope as a file with FOCUS columns and the `x_` columns of this server, one row per distinct ' +
      'charge and UTC day. The last 30 days by default. Recorded in the audit log.\n\n' +
      `At most ${mostOfOne} exports per member and ${most} in total are open at a time; further ones get status 429. Status 503 if the disk of the ` +
      'server has too little space.\n\nRate limit: `export`.',
    tags: ['Costs'],
    parameters: [
      {
        name: 'format',
        in: 'query',
        description: 'The format of the file.',
        required: true,
        schema: { type: 'string', enum: Object.keys(exportFormats) },
      },
      dayParameter('start_date', 'First UTC day of the charges. Default: 29 days before `end_date`.'),
      dayParameter(
        'end_date',
        'Last UTC day, inclusive; at most 1,100 days after the first. Default: today, or 29 days after `start_date` if earlier.',
      ),
      listParameter({
        name: 'account_id',
        description: 'UUIDs of connected accounts; the same as `account`.',
        jsonSchema: { items: { format: 'uuid' } },
      }),
      ...filterParameters().map(listParameter),
    ],
    responses: {
      200: {
        description: 'The file.',
        headers: {
          ...commonHeaders,
          'Content-Disposition': { description: 'The file name.', schema: { type: 'string' } },
        },
        content: Object.fromEntries(
          Object.values(exportFormats).map(({ mediaType }) => {
            const [type = ''] = mediaType.split(';', 1);
            return [type, { schema: { type: 'string', format: 'binary' }, ...fileExample('exportCosts', type) }];
          }),
        ),
      },
      ...errorReferences([400, 401, 403, 429, 500, 503]),
    },
  },
};

function dayParameter(name: string, description: string): Json {
  return { name, in: 'query', description, schema: { type: 'string', format: 'date' } };
}

function listParameter({ name, description, jsonSchema }: FilterParameter): Json {
  const { items, ...bounds } = limited(textList, jsonSchema);
  const schema = { type: 'array', minItems: 1, ...bounds, items: { type: 'string', ...Object(items) } };
  return { name, in: 'query', description, schema, style: 'form', explode: false };
}
