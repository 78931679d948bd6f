import * as operations from '../../../../schema/operations.ts';
import { graphql, type ResultOf } from '../../api/graphql.ts';

const AccountFileRow = graphql(`
  fragment AccountFileRow on AccountFile {
    id
    name
    sizeBytes
    billingMonths
    createdAt
    createdBy {
      name
    }
  }
`);

/** The newest uploaded files of an account. */
export const AccountFiles = graphql(operations.accountFiles, [AccountFileRow]);

export const DeleteFile = graphql(operations.deleteAccountFile);

export type UploadedFile = ResultOf<typeof AccountFileRow>;
