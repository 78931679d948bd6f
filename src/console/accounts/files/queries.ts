import { graphql, type ResultOf } from '../../api/graphql.ts';

/** The newest uploaded files of an account. */
export const AccountFiles = graphql(`
  query AccountFiles($id: ID!, $page: Int) {
    accountFiles(id: $id, page: $page, perPage: 50) {
      data {
        id
        name
        sizeBytes
        billingMonths
        createdAt
        createdBy {
          name
        }
      }
      pagination {
        page
        perPage
        totalPages
        total
      }
    }
  }
`);

export const DeleteFile = graphql(`
  mutation DeleteAccountFile($id: ID!, $fileId: ID!) {
    deleteAccountFile(id: $id, fileId: $fileId)
  }
`);

export type UploadedFile = NonNullable<ResultOf<typeof AccountFiles>['accountFiles']>['data'][number];
