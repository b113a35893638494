/** Where the product runs; the configuration refuses any address that isn't on this machine. */
export const baseUrl = process.env.E2E_BASE_URL ?? 'http://localhost:3000';
