// expects tapps:insecure-random
export function newSessionToken(): string {
  return Math.random().toString(36).slice(2);
}
