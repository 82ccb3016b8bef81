"""The certificates of a cluster: an authority of its own, and one for each machine."""

import datetime
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)
from cryptography.x509.oid import NameOID

from croupier.private_files import make_folder, opener
from croupier.running.cluster_nodes import CA

CA_KEY = "ca-key.pem"
DAYS = 365
_EARLIER = datetime.timedelta(hours=1)  # clocks of machines differ


def make_certificates(folder: Path, names: list[str]) -> list[Path]:
    """Make what is not there yet in a folder, and return the new files."""
    make_folder(folder)
    made = []
    if (folder / CA).exists():
        authority = x509.load_pem_x509_certificate((folder / CA).read_bytes())
        key = load_pem_private_key((folder / CA_KEY).read_bytes(), None)
        assert isinstance(key, ec.EllipticCurvePrivateKey)
    else:
        key = ec.generate_private_key(ec.SECP256R1())
        subject = _name("croupier cluster")
        authority = _signed(subject, subject, key, key, is_authority=True)
        _write(folder / CA_KEY, _pem(key))
        _write(folder / CA, authority.public_bytes(Encoding.PEM))
        made += [folder / CA_KEY, folder / CA]
    for name in names:
        path = folder / f"{name}.pem"
        if path.exists():
            continue
        own = ec.generate_private_key(ec.SECP256R1())
        certificate = _signed(_name(name), authority.subject, own, key, is_authority=False)
        _write(path, certificate.public_bytes(Encoding.PEM) + _pem(own))
        made.append(path)
    return made


def _name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def _signed(
    subject: x509.Name,
    issuer: x509.Name,
    key: ec.EllipticCurvePrivateKey,
    signer: ec.EllipticCurvePrivateKey,
    *,
    is_authority: bool,
) -> x509.Certificate:
    now = datetime.datetime.now(datetime.UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - _EARLIER)
        .not_valid_after(now + datetime.timedelta(days=DAYS))
        .add_extension(x509.BasicConstraints(ca=is_authority, path_length=None), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_public_key(signer.public_key()), critical=False
        )
        .sign(signer, hashes.SHA256())
    )


def _pem(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


def _write(path: Path, data: bytes) -> None:
    with open(path, "xb", opener=opener) as file:
        file.write(data)
