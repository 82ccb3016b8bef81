"""Certificates: what is wrong with their files, and what happens when they are renewed."""

import os
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from croupier.server.net.certificate import Certificate, CertificateError, TlsFiles
from tests.support.certificates import tls_files


def test_files_that_belong_together_are_fine(tmp_path: Path) -> None:
    tls_files(tmp_path).check()


@pytest.mark.parametrize("missing", ["cert.pem", "key.pem"])
def test_a_missing_file_is_named(missing: str, tmp_path: Path) -> None:
    files = tls_files(tmp_path)
    (tmp_path / missing).unlink()
    with pytest.raises(CertificateError, match=f"cannot read .*{missing}: No such file"):
        files.check()


def test_a_key_that_everybody_can_read_is_refused_with_the_remedy(tmp_path: Path) -> None:
    files = tls_files(tmp_path)
    files.key.chmod(0o644)
    with pytest.raises(CertificateError, match=r"`chmod o= .*key.pem`"):
        files.check()


def test_an_encrypted_key_is_refused_without_asking_for_its_password(tmp_path: Path) -> None:
    files = tls_files(tmp_path)
    files.key.write_text("-----BEGIN ENCRYPTED PRIVATE KEY-----\n")
    with pytest.raises(CertificateError, match="is encrypted"):
        files.check()


def test_what_is_no_certificate_is_refused(tmp_path: Path) -> None:
    files = tls_files(tmp_path)
    with pytest.raises(CertificateError, match="no certificate and key in PEM"):
        TlsFiles(files.key, files.key).check()


def test_a_renewed_certificate_is_used_for_new_connections(tmp_path: Path) -> None:
    certificate = Certificate(tls_files(tmp_path))
    before = certificate.context()
    certificate.renew()
    assert certificate.context() is before
    replacement = tmp_path / "new.pem"
    replacement.write_bytes((tmp_path / "cert.pem").read_bytes())
    replacement.replace(tmp_path / "cert.pem")
    certificate.renew()
    assert certificate.context() is not before


def test_a_renewal_that_cannot_be_used_changes_nothing_and_is_in_the_log(tmp_path: Path) -> None:
    certificate = Certificate(tls_files(tmp_path))
    before = certificate.context()
    (tmp_path / "key.pem").write_text("half of it")
    os.utime(tmp_path / "key.pem", (1, 1))
    with capture_logs() as logs:
        certificate.renew()
    assert certificate.context() is before
    assert [line["event"] for line in logs] == ["the new certificate cannot be used"]
