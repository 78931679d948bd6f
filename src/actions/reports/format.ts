import { formatPercent as percentOf } from '../../kit/format.ts';

/** A percentage, such as `12.5%` of 12.5. */
export function formatPercent(value: number): string {
  return percentOf(value, 1);
}

/** A change, such as `+12.5%`; `no change` of 0. */
export function formatChange(percent: number): string {
  return percent === 0 ? 'no change' : `${percent > 0 ? '+' : '−'}${formatPercent(Math.abs(percent))}`;
}

const acronyms =
  /\b(?:ahb|ami|amd|appgw|arm|aws|az|clb|ddos|ebs|ec2|ecr|efs|eip|eks|elb|gcp|gcs|gp2|gp3|ha|ia|id|io1|ip|lb|n1|nat|pd|rds|s3|sql|ssd|vm|vpce)\b/g;

/** A word of the API for people: `in_progress` is `In progress`, `aws_eip_idle` is `AWS EIP idle`. */
export function formatWord(word: string): string {
  const plain = word.replaceAll('_', ' ').replace(acronyms, (short) => short.toUpperCase());
  return plain.charAt(0).toUpperCase() + plain.slice(1);
}
