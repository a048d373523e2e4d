/** Where Debian and its kin keep the certificates that an administrator added. */
export const HOST_CERTIFICATES = {
  caDir: '/usr/local/share/ca-certificates',
  bundlePath: '/etc/ssl/certs/ca-certificates.crt',
};
