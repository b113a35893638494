'use client';

/** As everywhere else, but the ways to the rest of the admin area stay. */
export { default } from '../error';
