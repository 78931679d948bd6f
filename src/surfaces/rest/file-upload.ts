import type { Request, RequestHandler } from 'express';
import type { UploadedFile } from '../../../prisma/generated/client/client.ts';
import { setupRequired } from '../../graph/builder.ts';
import { actorOf } from '../../graph/context.ts';
import { maxNameLength } from '../../ingest/uploads/content.ts';
import { checkUpload, uploadFile } from '../../ingest/uploads/run.ts';
import type { Deps } from '../../kit/deps.ts';
import { AppError, arg, fix, forbidden, invalid, mention, message } from '../../kit/errors/errors.ts';
import { can } from '../../tenancy/auth/permissions.ts';
import { roleForbids, type Viewer } from '../../tenancy/auth/scope.ts';
import { exchangeOf } from '../http/exchange.ts';
import { callerUnknown, enter, type Gate } from '../http/gate.ts';
import { flawIn } from '../http/storable.ts';
import { withExamples } from '../openapi/paths.ts';
import { commonHeaders, errorReferences } from '../openapi/responses.ts';
import type { Json } from '../openapi/schemas.ts';
import { oneOf, parseSearch, searchOf } from './input/query.ts';

/** Path of the route, as in the document. */
export const uploadPath = '/accounts/{id}/files';

/** `POST /accounts/{id}/files`: a bill file as the body, streamed to the store. */
export function uploadRoute(deps: Deps, gate: Gate): RequestHandler {
  return async (req, res) => {
    const exchange = exchangeOf(req);
    exchange.route = uploadPath;
    const viewer = await enter(gate, req, res, 'write');
    if (!viewer) throw callerUnknown();
    refuseOtherBody(req);
    const length = req.headers['content-length'];
    const sizeBytes = length === undefined ? null : Number(length);
    const name = fileNameOf(req);
    checkUpload(deps, { name, sizeBytes });
    refuseViewer(viewer);
    const actor = actorOf({ viewer, actor: exchange.origin });
    const sent = { accountId: String(req.params['id']), name, sizeBytes, body: bodyOf(req) };
    const { file, months, isNew } = await uploadFile(deps, viewer, actor, sent).catch((error: unknown) => {
      // Reads the rest, so that a client that is still sending gets the response.
      req.resume();
      throw error;
    });
    res.setHeader('Cache-Control', 'no-store');
    res.setHeader('Location', `/api/v1/accounts/${file.accountId}/files/${file.id}`);
    res.status(isNew ? 201 : 200).json(answerOf(file, months));
  };
}

/** @throws {AppError} TWO_FACTOR_SETUP_REQUIRED or FORBIDDEN, as for a mutation */
function refuseViewer(viewer: Viewer): void {
  if (viewer.twoFactorSetupRequired) throw setupRequired();
  if (viewer.token?.readOnly === true)
    throw forbidden`The API token is read-only${fix}use a token with write access, or sign in`;
  if (!can(viewer.role, 'accounts.write')) throw roleForbids(viewer.role);
}

function fileNameOf(req: Request): string {
  const given = parseSearch(searchOf(req));
  const unknown = [...given.keys()].find((name) => name !== 'name');
  if (unknown !== undefined)
    throw invalid`${arg(unknown.slice(0, 80))} is not a known parameter${fix}use ${mention('name')}`;
  const name = oneOf(given.get('name') ?? [], 'name');
  if (name === undefined || name === '') throw invalid`${arg('name')} is required: the name of the file`;
  const flaw = flawIn(name);
  if (flaw !== null) throw invalid`${arg('name')} must not contain ${flaw}`;
  return name;
}

/** Media types of a body that is not the file itself. */
const forms = ['multipart/*', 'application/json', 'application/x-www-form-urlencoded'];

/** @throws {AppError} UNSUPPORTED_MEDIA_TYPE for a form, or an encoded body: its bytes are not the file's */
function refuseOtherBody(req: Request): void {
  const form = req.is(forms);
  if (form)
    throw new AppError(
      'UNSUPPORTED_MEDIA_TYPE',
      message`The body must be the file itself, not ${String(req.get('content-type')).slice(0, 80)}${fix}send its bytes with Content-Type application/octet-stream`,
    );
  const encoding = req.get('content-encoding');
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
    throw new AppError(
      'UNSUPPORTED_MEDIA_TYPE',
      message`Content-Encoding ${encoding.slice(0, 80)} is not supported for files${fix}leave the header out; a compressed file is recognized by its name`,
    );
}

/** @throws {AppError} SERVICE_UNAVAILABLE when the client disconnects before the end */
async function* bodyOf(req: Request): AsyncGenerator<Buffer> {
  try {
    // A rejected file must not close the connection before the response.
    yield* req.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  } catch (cause) {
    throw new AppError('SERVICE_UNAVAILABLE', message`The client disconnected before the end of the file`, { cause });
  }
}

/** A file as `GET /accounts/{id}/files/{file_id}` returns it. */
function answerOf(file: UploadedFile, months: readonly string[] | null): Json {
  const { id, accountId, name, sizeBytes, sha256, createdById, createdAt } = file;
  return {
    id,
    account_id: accountId,
    name,
    size_bytes: Number(sizeBytes),
    sha256,
    billing_months: months,
    created_by: createdById,
    created_at: createdAt.toISOString(),
  };
}

const fileSchema = { $ref: '#/components/schemas/AccountFile' };

const exampleFile = {
  id: '019a8c2e-0000-7000-8000-000000000002',
  account_id: '019a8c2e-0000-7000-8000-000000000001',
  name: '2026-10.csv.gz',
  size_bytes: 48_213,
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  billing_months: null,
  created_by: '019a8c2e-0000-7000-8000-000000000003',
  created_at: '2026-11-02T09:30:00.000Z',
};

/** Media types of the formats; others are accepted too, because the name decides. */
const mediaTypes = [
  'application/octet-stream',
  'text/csv',
  'application/gzip',
  'application/zstd',
  'application/zip',
  'application/vnd.apache.parquet',
];

/** The route in the OpenAPI document. */
export const uploadItem: Json = {
  post: {
    operationId: 'uploadAccountFile',
    summary: 'Uploads a bill file to an account',
    description:
      'Uploads a bill file to a `focus` account with `settings.source` `uploads`, and queues a sync that loads it. The body is the ' +
      'file itself: CSV, Parquet, or compressed. A file of the same name is replaced; sending the same bytes again returns the ' +
      'stored file with status 200. Billing months are replaced completely, from all files of the account. Recorded in the ' +
      'audit log. For Admins.\n\nRate limit: `write`.',
    tags: ['Accounts'],
    parameters: withExamples('uploadAccountFile', [
      {
        name: 'id',
        in: 'path',
        description: 'UUID of the account.',
        required: true,
        example: exampleFile.account_id,
        schema: { type: 'string', format: 'uuid' },
      },
      {
        name: 'name',
        in: 'query',
        description: 'File name, whose extension determines the format.',
        required: true,
        example: exampleFile.name,
        schema: { type: 'string', minLength: 1, maxLength: maxNameLength },
      },
    ]),
    requestBody: {
      required: true,
      content: Object.fromEntries(
        mediaTypes.map((type) => [type, { schema: { type: 'string', format: 'binary' } }] as const),
      ),
    },
    responses: {
      200: uploaded('The account already has a file with this content.'),
      201: uploaded('The file is stored, and a sync is queued.'),
      ...errorReferences([400, 401, 403, 404, 409, 413, 415, 429, 500, 503]),
    },
  },
};

function uploaded(description: string): Json {
  return {
    description,
    headers: { ...commonHeaders, Location: { description: 'Path of the file.', schema: { type: 'string' } } },
    content: { 'application/json': { schema: fileSchema, example: exampleFile } },
  };
}
