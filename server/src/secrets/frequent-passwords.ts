/** The most common passwords, in lower case, each of at least 8 characters. */
export const FREQUENT_PASSWORDS: ReadonlySet<string> = new Set(
  `
    12345678 123456789 1234567890 12345678910 0123456789 0987654321 9876543210 987654321 87654321 11111111
    111111111 1111111111 00000000 000000000 0000000000 22222222 33333333 44444444 55555555 66666666 77777777
    88888888 99999999 12341234 12121212 11223344 1122334455 123123123 123321123 147258369 159753456 99887766
    98765432 password password1 password12 password123 password1234 password! password1! passw0rd passw0rd1
    p@ssword p@ssw0rd p@ssw0rd1 p@ssword1 p@ssw0rd123 passwort passwort1 passwort123 motdepasse motdepasse1
    mypassword newpassword passpass passphrase pass1234 pass12345 password2022 password2023 password2024
    password2025 password2026 qwertyui qwertyuiop qwerty12 qwerty123 qwerty1234 qwerty12345 qwertyqwerty qwertzui
    qwertzuiop qwertz123 azertyui azertyuiop asdfghjk asdfghjkl asdfasdf asdf1234 zxcvbnm1 zxcvbnm123 1q2w3e4r
    1q2w3e4r5t 1qaz2wsx 1qaz2wsx3edc q1w2e3r4 q1w2e3r4t5 qazwsxedc zaq12wsx abcd1234 abcdefgh abcdefghi abc12345
    a1b2c3d4 aaaaaaaa abc123456 a1234567 1a2b3c4d 1234abcd 1234qwer 123qweasd iloveyou iloveyou1 iloveyou2
    sunshine sunshine1 princess princess1 football football1 baseball baseball1 basketball superman superman1
    starwars whatever trustno1 computer internet welcome1 welcome12 welcome123 welcome1! letmein1 letmein123
    changeme changeme1 changeme123 changeme! changeit default123 temporary temp1234 test1234 test12345 testtest
    testing1 guest123 administrator admin123 admin1234 admin12345 admin123456 adminadmin admin@123 adminpassword
    rootroot root1234 root12345 rootpass superuser superadmin sysadmin operator operator1 webmaster monkey123
    dragon123 master123 michael1 jennifer charlie1 liverpool secret123 secret1234 secretsecret mysecret security
    server123 database database1 postgres oracle123 ansible1 ansible123 semaphore semaphore1 signalbox signalbox1
    signalbox123 summer2024 summer2025 summer2026 winter2024 winter2025 winter2026 spring2026 company1 hello123
    hellohello helloworld pokemon1 minecraft
  `
    .trim()
    .split(/\s+/),
);
