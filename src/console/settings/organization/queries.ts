import * as operations from '../../../../schema/operations.ts';
import { graphql, type RecordOf } from '../../api/graphql.ts';

/** Settings and counts of the organization. */
export const OrganizationSettings = graphql(operations.organization, [graphql(operations.OrganizationFields)]);

/** Updates the given settings. */
export const UpdateOrganization = graphql(operations.updateOrganization);

/** Makes another member the Super Admin. */
export const TransferOwnership = graphql(operations.transferOwnership);

/** Permanently deletes the organization. */
export const DeleteOrganization = graphql(operations.deleteOrganization);

/** Organization with its settings. */
export type Organization = RecordOf<typeof OrganizationSettings>;
