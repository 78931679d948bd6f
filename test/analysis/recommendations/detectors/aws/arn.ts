/** An ARN in the region and account of `aSubject`. */
export function arn(service: string, resource: string): string {
  return `arn:aws:${service}:eu-west-1:111111111111:${resource}`;
}

/** The ARN of an instance. */
export const instanceArn = arn('ec2', 'instance/i-0a1');

/** The charge description of an on-demand Linux instance. */
export const linux = '$0.2 per On Demand Linux Instance Hour';
