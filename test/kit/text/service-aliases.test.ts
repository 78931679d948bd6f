import { describe, expect, it } from 'vitest';
import { nameMatches } from '../../../src/kit/text/service-aliases.ts';

describe('a search for a service', () => {
  it.each([
    ['EC2', 'Amazon Elastic Compute Cloud'],
    ['ec2', 'Amazon Elastic Compute Cloud - Compute'],
    ['S3', 'Amazon Simple Storage Service'],
    ['rds', 'Amazon Relational Database Service'],
    ['EKS', 'Amazon Elastic Kubernetes Service'],
    ['EKS', 'Amazon Elastic Container Service for Kubernetes'],
    ['GKE', 'Kubernetes Engine'],
    ['AKS', 'Azure Kubernetes Service'],
    ['bq', 'BigQuery'],
    ['GCS', 'Cloud Storage'],
    ['ek', 'Amazon Elastic Kubernetes Service'],
    ['storage', 'Cloud Storage'],
    ['', 'Cloud Storage'],
  ])('for %s finds %s', (search, name) => {
    expect(nameMatches(name, search)).toBe(true);
  });

  it.each([
    ['EC2', 'Amazon Simple Storage Service'],
    ['EKS', 'Azure Kubernetes Service'],
    ['e', 'Cloud Run and more'.replaceAll('e', '')],
    ['nothing', 'BigQuery'],
  ])('for %s does not find %s', (search, name) => {
    expect(nameMatches(name, search)).toBe(false);
  });
});
