import * as operations from '../../../../schema/operations.ts';
import { graphql, type ResultOf } from '../../api/graphql.ts';

const OrganizationFields = graphql(operations.OrganizationFields);

/** Settings and counts of the organization. */
export const OrganizationSettings = graphql(operations.organization, [OrganizationFields]);

/** Updates the given settings. */
export const UpdateOrganization = graphql(operations.updateOrganization);

/** Makes another member the Super Admin. */
export const TransferOwnership = graphql(operations.transferOwnership);

/** Permanently deletes the organization. */
export const DeleteOrganization = graphql(operations.deleteOrganization);

/** Organization with its settings. */
export type Organization = ResultOf<typeof OrganizationFields>;
