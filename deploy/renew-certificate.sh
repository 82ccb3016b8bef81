#!/bin/sh
# Gives the server's user a copy of a certificate that was renewed. Put it into /etc/letsencrypt/renewal-hooks/deploy/:
# certbot calls it with RENEWED_LINEAGE, the folder of the certificate. Croupier reads the new files within a minute.
set -eu
target=/var/lib/croupier/tls
install -d -m 700 -o croupier -g croupier "$target"
for file in fullchain.pem privkey.pem; do
    # Written beside and renamed: nobody ever reads half a file.
    install -m 600 -o croupier -g croupier "$RENEWED_LINEAGE/$file" "$target/.$file"
    mv "$target/.$file" "$target/$file"
done
