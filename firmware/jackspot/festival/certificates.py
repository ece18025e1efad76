"""The hall's own certificates, made by cryptography, the library that Python's community maintains.

They are valid from 2000 to 2099, because a board has no clock until somebody tells it the time.
"""

from __future__ import annotations

import datetime
import ipaddress
from collections.abc import Sequence

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)
from cryptography.x509.oid import NameOID
from msgspec import Struct

FROM = datetime.datetime(2000, 1, 1, tzinfo=datetime.UTC)
TO = datetime.datetime(2099, 12, 31, tzinfo=datetime.UTC)
AUTHORITY = "Jackspot "
"""How the name of an authority begins; its hall's name follows."""


class Pair(Struct, frozen=True):
    """A certificate and its key, as PEM."""

    certificate: str
    key: str


def make_authority(hall: str) -> Pair:
    """Make the authority of a hall."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = _name(f"{AUTHORITY}{hall}")
    made = (
        _begun(name, name, key.public_key())
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_SIGNS, critical=True)
    )
    return _pair(made.sign(key, SHA256()), key)


def hall_of(certificate: str) -> str:
    """Return the hall whose authority this PEM is. ValueError if it is not one."""
    [name] = x509.load_pem_x509_certificate(certificate.encode()).subject
    return str(name.value).removeprefix(AUTHORITY)


def addresses_of(certificate: str) -> list[str]:
    """Return the addresses and names of a broker's certificate. ValueError if it is none.

    PEM in; a certificate without such a list is for none.
    """
    made = x509.load_pem_x509_certificate(certificate.encode())
    try:
        names = made.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except x509.ExtensionNotFound:
        return []
    return [str(each.value) for each in names]


def wrong_with_server(certificate: str, authority: str, addresses: Sequence[str]) -> str:
    """Return what is wrong with a broker's certificate in its hall; empty: boards trust it.

    ``authority`` is the hall's certificate, ``addresses`` are those by which boards reach it.
    """
    try:
        made, issuer = (
            x509.load_pem_x509_certificate(each.encode()) for each in (certificate, authority)
        )
        made.verify_directly_issued_by(issuer)
    except (ValueError, TypeError, InvalidSignature):
        return "is none of this hall's"
    lacks = sorted(set(addresses) - set(addresses_of(certificate)))
    return f"is not for {', '.join(lacks)}" if lacks else ""


def make_server(authority: Pair, addresses: Sequence[str]) -> Pair:
    """Make the broker's certificate for these addresses and names."""
    issuer = x509.load_pem_x509_certificate(authority.certificate.encode())
    signing = load_pem_private_key(authority.key.encode(), None)
    assert isinstance(signing, ec.EllipticCurvePrivateKey), "an authority that was made here"
    key = ec.generate_private_key(ec.SECP256R1())
    made = (
        _begun(_name(addresses[0]), issuer.subject, key.public_key())
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.SubjectAlternativeName([_said(each) for each in addresses]), False)
        .add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_public_key(signing.public_key()), False
        )
    )
    return _pair(made.sign(signing, SHA256()), key)


_SIGNS = x509.KeyUsage(
    digital_signature=False, content_commitment=False, key_encipherment=False,
    data_encipherment=False, key_agreement=False, key_cert_sign=True, crl_sign=True,
    encipher_only=False, decipher_only=False,
)  # fmt: skip
"""What strict certificate checking, Python's default as of 3.13, wants an authority to state."""


def _begun(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePublicKey
) -> x509.CertificateBuilder:
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(FROM)
        .not_valid_after(TO)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key), critical=False)
    )


def _name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text[:64])])


def _said(address: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(address))
    except ValueError:
        return x509.DNSName(address)


def _pair(made: x509.Certificate, key: ec.EllipticCurvePrivateKey) -> Pair:
    secret = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    return Pair(made.public_bytes(Encoding.PEM).decode(), secret.decode())
