/** An ARN in the region and account of `aSubject`. */
export function arn(service: string, resource: string): string {
  return `arn:aws:${service}:eu-west-1:111111111111:${resource}`;
}

/** An instance's id. */
export const instanceArn = arn('ec2', 'instance/i-0a1');

/** What AWS writes on a plain Linux instance's charge. */
export const linux = '$0.2 per On Demand Linux Instance Hour';
