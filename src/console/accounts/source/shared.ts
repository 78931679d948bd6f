import type { Field } from './way.ts';

/** What ids of Azure look like. */
export const guid = '00000000-0000-0000-0000-000000000000';

/** Where S3 is spoken to first. */
export const region: Field = {
  name: 'region',
  part: 'settings',
  label: 'Region',
  help: 'Spoken to first. Needed for China and GovCloud.',
  placeholder: 'us-east-1',
  isOptional: true,
};
/** The bucket that the files are in. */
export const bucket: Field = { name: 'bucket', part: 'settings', label: 'Bucket', placeholder: 'acme-billing' };
/** The folder in it. */
export const prefix: Field = {
  name: 'prefix',
  part: 'settings',
  label: 'Prefix',
  help: 'The folder that the files are delivered to; empty for none.',
  placeholder: 'exports',
  isOptional: true,
};
/** Where Azure delivers an export. */
export const storageAccount: Field = {
  name: 'storageAccount',
  part: 'settings',
  label: 'Storage account',
  placeholder: 'acmebilling',
};
/** The container in it. */
export const container: Field = { name: 'container', part: 'settings', label: 'Container', placeholder: 'exports' };
/** For the role on the container. */
export const resourceGroup: Field = {
  name: 'resourceGroup',
  part: 'guide',
  label: 'Resource group of the storage account',
  help: 'Only for the commands below.',
  placeholder: 'billing',
  isOptional: true,
};
