import { columns, decimal, instant, text, uuid } from '../../graph/answers.ts';
import { bounded } from '../../graph/bounded.ts';
import { builder } from '../../graph/builder.ts';
import { actorOf, viewerOf } from '../../graph/context.ts';
import { listArgs, pageField, pageType, selectedPage } from '../../graph/paging.ts';
import { batched, relation, restName } from '../../graph/relations.ts';
import { readRoute, writeRoute } from '../../graph/rest.ts';
import { memberRelation } from '../../tenancy/people/graphql.ts';
import { maxNameLength } from './content.ts';
import { deleteUpload, pageUploads, readUpload } from './run.ts';
import { fileSortFields, monthsOfFiles } from './store.ts';

const monthsOf = batched(async (files: readonly { accountId: string; sha256: string }[], ctx) => {
  const months = await monthsOfFiles(ctx.deps.db, viewerOf(ctx).scope, files);
  return files.map(({ accountId, sha256 }) => months.get(`${accountId} ${sha256}`) ?? null);
});

const FileType = builder.prismaObject('UploadedFile', {
  name: 'AccountFile',
  select: { id: true },
  description: 'A bill file that a member uploaded to an account.',
  fields: (t) =>
    columns(t, 'UploadedFile', {
      id: uuid('UUIDv7 of the file.'),
      accountId: uuid('UUID of the account.'),
      account: t.relation('account', { ...relation, description: 'The account.' }),
      name: text('File name.', bounded({ maxLength: maxNameLength })),
      sizeBytes: decimal('Size in bytes.'),
      sha256: text('SHA-256 of the content in hexadecimal digits.'),
      billingMonths: t.field({
        type: ['Month'],
        nullable: true,
        description: 'Billing months in the file; null until a sync has read it.',
        select: { accountId: true, sha256: true },
        resolve: (file, _args, ctx) => monthsOf(file, ctx),
      }),
      createdById: uuid('UUID of the uploader; the Super Admin’s for a former member’s file.', restName('created_by')),
      createdBy: t.field(memberRelation('createdById', 'The uploader; the Super Admin for a former member’s file.')),
      createdAt: instant('Upload time.'),
    }),
});

const FilePage = pageType('AccountFile', FileType);

const idArg = 'UUID of the account.';
const fileIdArg = 'UUID of the file.';

builder.queryFields((t) => ({
  accountFiles: t.field({
    ...pageField(FilePage),
    description: 'Lists the files uploaded to an account, newest first.',
    args: {
      id: t.arg.id({ required: true, description: idArg }),
      ...listArgs('AccountFile', fileSortFields),
    },
    ...readRoute('Accounts', '/accounts/{id}/files', { csv: 'data' }),
    resolve: selectedPage((ctx, { id, sortBy = null }, page) =>
      pageUploads(ctx.deps, { scope: viewerOf(ctx).scope, accountId: id }, sortBy, page),
    ),
  }),
  accountFile: t.prismaField({
    type: FileType,
    description: 'Returns a file uploaded to an account.',
    args: {
      id: t.arg.id({ required: true, description: idArg }),
      fileId: t.arg.id({ required: true, description: fileIdArg }),
    },
    ...readRoute('Accounts', '/accounts/{id}/files/{file_id}'),
    resolve: (query, _root, { id, fileId }, ctx) =>
      readUpload(ctx.deps, { scope: viewerOf(ctx).scope, accountId: id }, fileId, query),
  }),
}));

builder.mutationFields((t) => ({
  deleteAccountFile: t.field({
    type: 'Boolean',
    description:
      'Deletes a file uploaded to an account, and queues a sync. Billing months that no other file contains are removed. For Admins.',
    args: {
      id: t.arg.id({ required: true, description: idArg }),
      fileId: t.arg.id({ required: true, description: fileIdArg }),
    },
    ...writeRoute('Accounts', 'accounts.write', {
      method: 'DELETE',
      path: '/accounts/{id}/files/{file_id}',
    }),
    resolve: (_root, { id, fileId }, ctx) =>
      deleteUpload(ctx.deps, actorOf(ctx), { scope: viewerOf(ctx).scope, accountId: id }, fileId).then(() => true),
  }),
}));
