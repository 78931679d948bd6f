/** A part of AWS with its own accounts and regions. */
export interface Partition {
  /** As ARNs spell it. */
  readonly id: string;
  /** Where billing, and what else is not of one region, is asked. */
  readonly mainRegion: string;
}

const partitions: readonly (Partition & { readonly regions: RegExp })[] = [
  { id: 'aws-cn', mainRegion: 'cn-northwest-1', regions: /^cn-/ },
  { id: 'aws-us-gov', mainRegion: 'us-gov-west-1', regions: /^us-gov-/ },
  { id: 'aws-eusc', mainRegion: 'eusc-de-east-1', regions: /^eusc-/ },
  { id: 'aws', mainRegion: 'us-east-1', regions: /^/ },
];
const commercial: Partition = { id: 'aws', mainRegion: 'us-east-1' };

/** The partition of an ARN; the commercial one where it says nothing. */
export function partitionOfArn(arn: string): Partition {
  const id = arn.split(':')[1];
  return partitions.find((partition) => partition.id === id) ?? commercial;
}

/** The partition of a region's code; the commercial one for null. */
export function partitionOfRegion(region: string | null): Partition {
  return partitions.find((partition) => partition.regions.test(region ?? '')) ?? commercial;
}
