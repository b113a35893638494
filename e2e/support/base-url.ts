/** The address of the product; the configuration refuses any that isn't on this machine. */
export const baseUrl = process.env.E2E_BASE_URL ?? 'http://localhost:3000';
