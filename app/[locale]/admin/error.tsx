'use client';

/** As everywhere else, but the ways to the rest of the desk stay. */
export { default } from '../error';
